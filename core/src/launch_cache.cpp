// Device code in the user's cache directory: $XDG_CACHE_HOME/scale-x, else ~/.cache/scale-x. Nothing is read from a
// directory or file that another user can write, nothing through a symbolic link in the last step, and nothing whose
// digest does not fit; a file appears whole or not at all. At most kMost files stay, the newest.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel_code.h"

namespace sx {
namespace {

constexpr char kMagic[] = "scale-x code 1\n";
constexpr size_t kDigest = 32;
constexpr off_t kLargest = 64 << 20;
constexpr size_t kMost = 60;              // five kernels for a dozen architectures and releases
constexpr time_t kAbandoned = 24 * 3600;  // seconds after which a file that never became whole is waste

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

// Ours, and only we may write it.
bool safe(int fd, mode_t kind, struct stat* s) {
  return fd >= 0 && fstat(fd, s) == 0 && (s->st_mode & S_IFMT) == kind && s->st_uid == geteuid() &&
         (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The directory, made when ``create``; -1 when there is none to be trusted.
int open_directory(bool create) {
  std::string base;
  const char* given = secure_getenv("XDG_CACHE_HOME");
  const char* home = secure_getenv("HOME");
  if (given && *given == '/') {
    base = given;
  } else if (home && *home == '/') {
    base = std::string(home) + "/.cache";
  } else {
    return -1;
  }
  const std::string path = base + "/scale-x";
  if (create) {
    mkdir(base.c_str(), 0700);
    mkdir(path.c_str(), 0700);
  }
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat s;
  if (fd >= 0 && !safe(fd, S_IFDIR, &s)) {
    sx_log("%s is not used as a cache: it is another user's, or others may write to it", path.c_str());
    close(fd);
    return -1;
  }
  return fd;
}

bool read_whole(int fd, size_t bytes, std::string* out) {
  out->resize(bytes);
  for (size_t done = 0; done < bytes;) {
    const ssize_t n = read(fd, &(*out)[done], bytes - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool write_whole(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

// Removes our oldest files beyond kMost, and what a killed process left half written.
void trim(int directory) {
  const int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const listing = own >= 0 ? fdopendir(own) : nullptr;
  if (listing == nullptr) {
    if (own >= 0) close(own);
    return;
  }
  std::vector<std::pair<time_t, std::string>> kept;
  while (const dirent* entry = readdir(listing)) {
    const std::string name = entry->d_name;
    const bool code = name.compare(0, 3, "sx_") == 0, half = name.compare(0, 5, ".new-") == 0;
    struct stat s;
    if (!(code || half) || fstatat(directory, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(s.st_mode)) continue;
    if (code) kept.emplace_back(s.st_mtime, name);
    if (half && s.st_mtime + kAbandoned < time(nullptr)) unlinkat(directory, name.c_str(), 0);
  }
  closedir(listing);
  if (kept.size() <= kMost) return;
  std::sort(kept.begin(), kept.end());
  kept.resize(kept.size() - kMost);
  for (const auto& file : kept) unlinkat(directory, file.second.c_str(), 0);
}

std::string digest_of(const KernelCode& code, const std::string& binary) {
  return sha256(code.key + std::string(1, '\0') + binary);
}

}  // namespace

bool kernel_code_cached(KernelCode* code) {
  const File directory(open_directory(false));
  if (directory < 0) return false;
  const File file(openat(directory, code->key.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat s;
  constexpr size_t head = sizeof kMagic - 1 + kDigest;
  if (!safe(file, S_IFREG, &s) || s.st_size <= static_cast<off_t>(head) || s.st_size > kLargest) return false;
  std::string text;
  if (!read_whole(file, static_cast<size_t>(s.st_size), &text)) return false;
  if (text.compare(0, sizeof kMagic - 1, kMagic) != 0) return false;
  code->binary = text.substr(head);
  if (text.compare(sizeof kMagic - 1, kDigest, digest_of(*code, code->binary)) == 0) return true;
  sx_log("the cached code %s is damaged and compiled again", code->key.c_str());
  code->binary.clear();
  return false;
}

void kernel_code_keep(const KernelCode& code) {
  const File directory(open_directory(true));
  if (directory < 0) return;
  char name[64];
  snprintf(name, sizeof name, ".new-%ld-%p", static_cast<long>(getpid()), static_cast<const void*>(&code));
  bool whole = false;
  {
    const File file(openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file < 0) return;
    whole = write_whole(file, kMagic + digest_of(code, code.binary) + code.binary);
  }
  if (!whole || renameat(directory, name, directory, code.key.c_str()) != 0) unlinkat(directory, name, 0);
  trim(directory);
}

}  // namespace sx
