// Calls to objects of references.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <takt/orb/orb.h>
#include <takt/reference/object.h>

namespace takt::command {

// An ORB for a client; the destructor destroys it. A call takes up to `timeout` for connecting and as long
// for the reply, unless `further_options` say another limit. Other settings come from the TAKT_ environment
// variables, but for those that are for a server (client_orb_of).
class ClientOrb {
 public:
  explicit ClientOrb(std::chrono::nanoseconds timeout, const std::vector<std::string>& further_options = {});
  ~ClientOrb();
  ClientOrb(const ClientOrb&) = delete;
  ClientOrb& operator=(const ClientOrb&) = delete;
  CORBA::ORB* operator->() const { return orb_.get(); }
  const CORBA::object_reference<CORBA::ORB>& reference() const { return orb_; }

 private:
  CORBA::object_reference<CORBA::ORB> orb_;
};

// Explains what the exception means for the reference, and what to do next.
std::string advice_for(const CORBA::SystemException& failure);
// The failure's text, with the advice unless the text has it already.
std::string text_with_advice(const CORBA::SystemException& failure);

}  // namespace takt::command
