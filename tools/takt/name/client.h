// A client of whatever naming service there is.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "CosNamingC.h"

namespace takt::command {

struct NameSettings {
  std::string service;  // as for takt ior; empty: the initial reference, else this machine's port 2809
  double timeout_s = 2;
  bool as_json = false;
  std::vector<std::string> orb_options;
};

// An ORB, destroyed with this, and the root context. Calls take up to the timeout for connecting and as much
// for the reply.
class NameClient {
 public:
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;

  // Throws a Failure where there is no reference of the service; the service itself is not called yet, unless
  // it is behind a corbaname.
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

// "a/b.kind"; empty for the root, which is written "" or "/". Throws a Failure for what is no name.
CosNaming::Name name_from(const std::string& text);
// The text of a name, for a terminal: what could be mistaken for a command of it is written as \xHH.
std::string shown(const CosNaming::Name& name);
// What the exception means for somebody who asked for a name. Throws a Failure with that: `negative` for what
// the service answers, `unusable` where it cannot be reached.
[[noreturn]] void fail_with(const CORBA::Exception& failure);

}  // namespace takt::command
