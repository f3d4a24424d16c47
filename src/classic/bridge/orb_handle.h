// The runtime's ORB behind one of the classic mapping.
#pragma once

#include <takt/orb/orb.h>

namespace takt::classic {

class OrbHandle {
 public:
  const CORBA::object_reference<CORBA::ORB> orb;
};

}  // namespace takt::classic
