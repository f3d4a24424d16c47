// Changes of a repository's servers between two looks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Takt_ActivationC.h"

namespace takt::command {

struct ServerChange {
  // A phase of a process or of a server without processes; or ended, failure, refused, removed.
  std::string what;
  std::string server{};
  std::int32_t pid = 0;     // 0: no process, or its number is not known
  std::string address{};    // set for a process that runs
  std::uint64_t count = 0;  // `failure`, `refused`: how many there were
  std::string why{};        // `failure`, `refused`: the last reason
};

// Not thread-safe.
class ServerChanges {
 public:
  // The first call reports the processes of all servers, and the phase of servers without processes. Counts
  // that become less, because the repository was restarted, begin anew.
  std::vector<ServerChange> compared(const Takt::Activation::ServerList& servers);

 private:
  std::map<std::string, Takt::Activation::Server> known_;
};

}  // namespace takt::command
