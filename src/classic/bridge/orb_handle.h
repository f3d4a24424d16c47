// The runtime's ORB behind one of the classic mapping.
#pragma once

#include <vector>

#include <takt/orb/orb.h>

namespace takt::classic {

class OrbHandle {
 public:
  const CORBA::object_reference<CORBA::ORB> orb;
};

namespace timeouts {
// The ORBs that the program has made and that are referred to. Any thread.
std::vector<CORBA::object_reference<CORBA::ORB>> living_orbs();
}  // namespace timeouts

}  // namespace takt::classic
