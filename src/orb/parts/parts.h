// The features that takt::choose_parts() has chosen.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/orb/parts.h>

#include "client/client.h"
#include "concurrency/strategy/pool_threads.h"
#include "concurrency/strategy/reactive.h"
#include "config/config_file.h"
#include "config/settings.h"
#include "server/group_membership.h"
#include "server/server.h"
#include "transport/miop/group_options.h"

namespace takt::adapter {
class AdapterTree;
}
namespace takt::admin {
class Admin;
}
namespace takt::orb {
class Runtime;
class Upkeep;
struct OrbParts;
struct EffectiveSettings;
struct Tracing;
}  // namespace takt::orb
namespace takt::recorder {
class RecordingDumps;
}

namespace takt {

// Function pointers, so that features which are not chosen are not linked. Immutable after the choice.
class Parts {
 public:
  // Add transports, in the order in which messages list their names. May throw INITIALIZE.
  std::vector<void (*)(transport::TransportRegistry&, const orb::Settings&)> transports;
  // The pointers below are null if the feature was not chosen.
  // Makes the group membership of the client and server, and lives as long as they. `begin_thread` runs first
  // in each thread that reads for a group.
  std::shared_ptr<server::GroupMembership> (*add_groups)(client::Client&, server::Server&,
                                                         const transport::miop::GroupOptions&,
                                                         std::function<void()> begin_thread) = nullptr;
  // The local roads of an ORB; null if the settings turn them off. Throws INITIALIZE.
  std::shared_ptr<reference::LocalRoads> (*make_roads)(const orb::Settings&) = nullptr;
  void (*reload_certificates)(const reference::References&) = nullptr;
  void (*change_handshake_time)(const reference::References&, std::chrono::nanoseconds) = nullptr;
  std::expected<std::vector<orb::FileValue>, std::string> (*read_config_file)(const std::string& path) =
      nullptr;
  // Returns null if no option needs upkeep. Destroying the result stops it, and must happen before the
  // runtime's destruction.
  std::shared_ptr<orb::Upkeep> (*begin_upkeep)(orb::Runtime& runtime,
                                               const orb::EffectiveSettings& effective) = nullptr;
  // Destroying the result ends it, and must happen before the runtime's destruction.
  std::shared_ptr<admin::Admin> (*begin_admin)(orb::Runtime& runtime) = nullptr;
  // Destroying the result ends it, and must happen after the last call and request. Throws BAD_PARAM.
  std::shared_ptr<orb::Tracing> (*begin_tracing)(orb::Runtime& runtime) = nullptr;
  // Makes the ORB record what passes on its connections. Call before the first one. Throws INITIALIZE. Once
  // the result is gone, the recording is no longer copied at events; it may be null.
  std::shared_ptr<recorder::RecordingDumps> (*begin_recorder)(orb::OrbParts& orb_parts,
                                                              const orb::Settings& settings) = nullptr;
  // Makes the reactor of a server that waits by io_uring. Fails with an errno value where the kernel refuses.
  std::expected<server::ReactorAndStreams, int> (*make_io_uring)() = nullptr;
  // The same for a lane or pool in which one thread reads.
  std::expected<server::PollAndStreams, int> (*make_io_uring_poll)() = nullptr;
  // Makes the adapters of an ORB answer _interface. Call before the ORB listens.
  void (*begin_reflection)(adapter::AdapterTree& tree, const Parts& parts) = nullptr;
  // The same with the definitions of an interface repository, if the ORB names one.
  void (*begin_repository)(orb::Runtime& runtime) = nullptr;
  // Descriptions of interfaces, as skeletons have them. Their sections, each from first to last.
  std::vector<std::pair<const char* const*, const char* const*>> descriptions;
};

}  // namespace takt

namespace takt::orb {

// The features of this process. Any thread.
const Parts& chosen_parts();

}  // namespace takt::orb
