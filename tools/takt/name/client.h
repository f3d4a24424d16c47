// A client of any naming service.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "CosNamingC.h"

namespace takt::command {

struct NameSettings {
  std::string service;  // as for takt ior; empty: the initial reference, or port 2809 of this machine
  std::chrono::nanoseconds timeout = std::chrono::seconds(2);
  bool as_json = false;
  std::vector<std::string> orb_options;
};

// An ORB and the root context; the destructor destroys the ORB. A call takes up to the timeout for connecting
// and as long for the reply.
class NameClient {
 public:
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;

  // Throws a Failure if there is no reference to the service. Does not call the service, except to resolve a
  // corbaname.
  explicit NameClient(const NameSettings& settings);
  ~NameClient();
  NameClient(const NameClient&) = delete;
  NameClient& operator=(const NameClient&) = delete;

  CORBA::ORB& orb() const { return *orb_; }
  const ContextRef& root() const { return root_; }

 private:
  CORBA::object_reference<CORBA::ORB> orb_;
  ContextRef root_;
};

// Parses "a/b.kind". "" and "/" are the root and give an empty name. Throws a Failure if the text is no name.
CosNaming::Name name_from(const std::string& text);
// The name as text for a terminal; control characters are written as \xHH.
std::string shown(const CosNaming::Name& name);
// Throws a Failure that explains the exception.
[[noreturn]] void fail_with(const CORBA::Exception& failure);

}  // namespace takt::command
