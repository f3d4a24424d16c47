// Error numbers in words.
#pragma once

#include <string>

namespace takt::os {

// "connection refused (ECONNREFUSED)". Any thread; allocates.
std::string error_text(int error);

}  // namespace takt::os
