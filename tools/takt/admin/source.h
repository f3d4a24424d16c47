// The admin object of an ORB (-ORBAdmin), as takt top and takt metrics reach it.
#pragma once

#include <string>

#include "Takt_AdminC.h"
#include "ior/calls.h"

namespace takt::command {

// The reference in text for what users give: an endpoint such as unix:/run/server/admin or iiop://host:2811,
// a reference, a file with one, or nothing for iiop://localhost:2810. Throws a Failure if it is none of
// these.
std::string admin_reference(const std::string& given);

// The text of a look that failed. Says so if there is another object, or none, at the address.
std::string why_no_state(const CORBA::SystemException& failure);

// One ORB. Reconnects by itself. Any thread.
class AdminSource {
 public:
  // Makes no connection yet.
  AdminSource(const ClientOrb& orb, const std::string& given);

  const std::string& name() const { return name_; }  // as given
  // Throws system exceptions.
  Takt::Admin::State look() const { return object_->look(); }

 private:
  const std::string name_;
  IDL::traits<Takt::Admin::Orb>::ref_type object_;
};

}  // namespace takt::command
