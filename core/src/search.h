// Where AMD's libraries are looked for.
#pragma once

#include <string>
#include <vector>

namespace sx {

// Libraries whose functions the table can hold, and their sonames for a generation of ROCm (its HIP's number: 6, 7).
struct RocmLibrary {
  const char* name;     // as in SX_ROCM_LIBRARIES
  const char* soname6;  // ROCm 6
  const char* soname7;  // ROCm 7 and later
};
const RocmLibrary* rocm_library(const std::string& name);

// Directories in the order of search: ROCM_PATH, LD_LIBRARY_PATH, the loader's own path (""), /opt/rocm*, pip's ROCm.
// Only absolute paths: nothing is loaded relative to the current directory.
std::vector<std::string> rocm_directories();

// One library, from the first directory that has it; nullptr if none does. ``where`` gets its directory.
void* open_library(const char* soname, const std::vector<std::string>& directories, std::string* where);

// Already in this process, whoever loaded it.
void* open_present(const char* soname, std::string* where);

// The same by file name, where a package has renamed AMD's libraries: PyTorch's are called libamdhip64.so.
void* open_mapped(const std::string& file, std::string* where);

// "librocblas.so" of "librocblas.so.5"
std::string unnumbered(const std::string& soname);

bool file_exists(const std::string& path);
std::string join(const std::vector<std::string>& directories);  // for messages

}  // namespace sx
