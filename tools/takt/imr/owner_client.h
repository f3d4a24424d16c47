// The repository's object for its owner, which is behind a UNIX-domain socket.
#pragma once

#include <string>
#include <vector>

#include "Takt_ActivationC.h"
#include "common/command.h"
#include "ior/calls.h"

namespace takt::command {

struct OwnerSettings {
  std::string socket;  // empty: the default
  std::vector<std::string> orb_options;
};

// The path of the socket. `given` may be empty, or relative. Throws a Failure if no endpoint can have it.
std::string owner_socket(const std::string& given);

void add_owner_socket(const Command& command, OwnerSettings& settings);

class OwnerClient {
 public:
  explicit OwnerClient(const OwnerSettings& settings);

  const CORBA::object_reference<Takt::Activation::Owner>& operator->() const { return owner_; }
  const ClientOrb& orb() const { return orb_; }

 private:
  const ClientOrb orb_;
  const CORBA::object_reference<Takt::Activation::Owner> owner_;
};

// Runs `action`, and makes Failures of what the repository refuses and of failed calls.
template <class Action>
void ask_owner(const Action& action) {
  try {
    action();
  } catch (const Takt::Activation::Refused& refused) {
    fail(refused.why(), negative);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace takt::command
