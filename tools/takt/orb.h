// The ORBs of subcommands, and how those that serve end.
#pragma once

#include <csignal>
#include <initializer_list>
#include <string>
#include <vector>

#include <takt/corba.h>

namespace takt::command {

// An ORB of these options. Fails where it knows one of them not; throws as ORB_init.
CORBA::object_reference<CORBA::ORB> orb_of(const std::vector<std::string>& options, const std::string& id);

// Signals that one thread waits for. Made before there are others, which have them blocked, too.
class AwaitedSignals {
 public:
  AwaitedSignals(std::initializer_list<int> signals);
  // Blocks until one has come; gives which.
  int wait() const;

 private:
  sigset_t signals_;
};

}  // namespace takt::command
