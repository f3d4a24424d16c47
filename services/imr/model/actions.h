// Consequences of an event of a server: the model says them, and the service carries them out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace takt::imr {

// The kind of object that the reference of a process leads to: the server's main object,
// Takt::Activation::Life, or ImplementationRepository::ServerObject. The last two are pinged by the same
// operation.
enum class PlaceKind : std::uint8_t { main_object, life, server_object };

// Where a process serves. Immutable.
struct Place {
  std::string reference{};
  PlaceKind kind = PlaceKind::life;
  std::int32_t pid = 0;  // 0: not known
  bool local = false;    // the end of the process is noticed here
};
using PlacePtr = std::shared_ptr<const Place>;

// A request that waits for its server. Gets one answer; any thread.
class Caller {
 public:
  virtual ~Caller() = default;
  // False: the client has gone.
  virtual bool forward(const Place& place) = 0;
  virtual void refuse(const std::string& why) = 0;
};
using Callers = std::vector<std::unique_ptr<Caller>>;

struct Actions {
  struct Signal {
    std::int32_t pid;
    bool group;  // the process leads a group of its own, which the repository has started
    bool kill;   // SIGKILL, else SIGTERM
  };
  struct Ping {
    std::uint64_t start;
    PlacePtr place;
  };
  struct Forward {
    Callers callers;
    PlacePtr place;
    // If the process serves only one client: its start, of which without_client() must be told if the callers
    // have gone. Else 0.
    std::uint64_t start;
  };
  std::vector<std::uint64_t> spawn{};  // numbers of starts
  std::vector<Signal> signals{};
  std::vector<PlacePtr> shutdowns{};  // Life::shutdown
  std::vector<Ping> pings{};
  std::vector<Forward> forwards{};
  std::vector<std::pair<Callers, std::string>> refusals{};
  bool processes_changed = false;  // the store must learn them, for a later repository
};

}  // namespace takt::imr
