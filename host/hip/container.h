// What the engine's hipRTC makes and its modules take: a text that names one of the project's kernels.
#pragma once

#include <string>

#include "kernels/sources.h"

namespace sx {

const sx_kernel_source* kernel_source(const char* text);  // by its text; NULL: none of ours

std::string container_of(const sx_kernel_source& source, const std::string& arch);

// The kernel of a container for the impersonated chip; hipErrorInvalidImage or hipErrorNoBinaryForGpu otherwise.
hipError_t open_container(const void* image, const sx_kernel_source** source);

}  // namespace sx
