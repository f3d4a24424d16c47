// Texts for errno values.
#pragma once

#include <string>

namespace takt::os {

// For example "connection refused (ECONNREFUSED)". Any thread; allocates.
std::string error_text(int error);

}  // namespace takt::os
