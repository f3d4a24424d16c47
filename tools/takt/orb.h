// The ORBs of subcommands, and the signals that end servers.
#pragma once

#include <csignal>
#include <initializer_list>
#include <string>
#include <vector>

#include <takt/corba.h>

namespace takt::command {

// An ORB with the options. Throws a Failure for an unknown option, and the exceptions of ORB_init.
CORBA::object_reference<CORBA::ORB> orb_of(const std::vector<std::string>& options, const std::string& id);

// Blocks signals, for one thread to wait for. Must be made before other threads, which inherit the blocked
// signals.
class AwaitedSignals {
 public:
  AwaitedSignals(std::initializer_list<int> signals);
  // Blocks until a signal comes, and returns it.
  int wait() const;

 private:
  sigset_t signals_;
};

}  // namespace takt::command
