// The ORBs of programs that measure event services.
#pragma once

#include <string>

#include <takt/corba.h>

namespace bench {

// An ORB with a port of its own.
inline CORBA::object_reference<CORBA::ORB> make_orb(const std::string& name) {
  std::string words[] = {"bench", "-ORBListenEndpoints", "iiop://127.0.0.1:0"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, name);
}

}  // namespace bench
