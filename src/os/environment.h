// The process's environment.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace takt::os {

// The variables whose names begin with `prefix`, and what they say. None where the process has more rights
// than whoever started it (setuid, setgid, capabilities of the file; getauxval(3), AT_SECURE), and so chose
// them. Not while another thread changes one.
std::map<std::string, std::string> environment_with(std::string_view prefix);

}  // namespace takt::os
