// The process's name and environment.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace takt::os {

// The variables whose names begin with `prefix`, with their values. Empty if the process has more privileges
// than the user who started it (setuid, setgid, file capabilities; getauxval(3), AT_SECURE), because that
// user chose the values. No other thread may change the environment meanwhile.
std::map<std::string, std::string> environment_with(std::string_view prefix);

// The name of the program's file, without folders.
std::string program_name();

}  // namespace takt::os
