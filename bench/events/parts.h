// Parts of the programs that measure event services.
#pragma once

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include <takt/corba.h>

namespace bench {

// User and system time of a process.
inline double cpu_seconds(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  std::string word;
  for (int i = 0; i < 11; ++i) rest >> word;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// An ORB with a port of its own.
inline CORBA::object_reference<CORBA::ORB> make_orb(const std::string& name) {
  std::string words[] = {"bench", "-ORBListenEndpoints", "iiop://127.0.0.1:0"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, name);
}

}  // namespace bench
