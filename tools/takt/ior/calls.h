// Calls on the objects of references.
#pragma once

#include <chrono>
#include <string>

#include <takt/orb/orb.h>
#include <takt/reference/object.h>

namespace takt::command {

// A client's ORB; destroyed with this. Its calls take up to `timeout` for connecting and as much for the
// reply. The environment's TAKT_ variables hold for all else.
class ClientOrb {
 public:
  explicit ClientOrb(std::chrono::milliseconds timeout);
  ~ClientOrb();
  ClientOrb(const ClientOrb&) = delete;
  ClientOrb& operator=(const ClientOrb&) = delete;
  CORBA::ORB* operator->() const { return orb_.get(); }

 private:
  CORBA::object_reference<CORBA::ORB> orb_;
};

// What the exception means for the reference, and what to do next.
std::string advice_for(const CORBA::SystemException& failure);

}  // namespace takt::command
