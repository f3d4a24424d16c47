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

// The process has more privileges than the user who started it, as above.
bool has_privileges_of_file();

// The name of the program's file, without folders.
std::string program_name();
// The name of the user with whose rights the process runs; its number if it has none.
std::string user_name();

}  // namespace takt::os
