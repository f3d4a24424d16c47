// The ORBs of subcommands, and the signals that end servers.
#pragma once

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "common/command.h"

namespace takt::orb {
struct EffectiveSettings;
}

namespace takt::command {

// An ORB with the options. Throws a Failure for a word that is none, and for what ORB_init refuses.
CORBA::object_reference<CORBA::ORB> orb_of(const std::vector<std::string>& options, const std::string& id);
// The same for a command that calls a server whose environment or file it may share, as a probe in a
// container does. What these set for the server's endpoints, files, peers and signals has no effect here;
// what `options` set has.
CORBA::object_reference<CORBA::ORB> client_orb_of(std::vector<std::string> options, const std::string& id);

// The settings that such an ORB has, also from the environment and from a file. Throws as ORB_init.
orb::EffectiveSettings effective_settings(const std::vector<std::string>& options);

// Lets the command take options of the ORB, and says so in help. They are in `options` when the action runs.
// `further` follows at the end of help.
void take_orb_options(const Command& command, std::vector<std::string>& options, const std::string& example,
                      const std::string& further = {});

// Blocks signals, for one thread to wait for. Must be made before other threads, which inherit the blocked
// signals.
class AwaitedSignals {
 public:
  AwaitedSignals(std::initializer_list<int> signals);
  // Blocks until a signal comes, and returns it.
  int wait() const;
  // Blocks until a signal comes, or for the time at most. Whether one came.
  bool wait_for(std::chrono::nanoseconds time) const;
  // The next signal ends the process: what remains to be done may take long.
  void release() const;

 private:
  sigset_t signals_;
};

}  // namespace takt::command
