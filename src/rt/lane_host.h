// Server functions that an ORB provides for thread pools.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "concurrency/strategy/pool_threads.h"
#include "concurrency/strategy/thread_round.h"
#include "reference/policies/protocol_choice.h"
#include "reference/publication.h"

namespace takt::rt {

// Any thread.
class LaneHost {
 public:
  struct Opened {
    std::uint64_t id = 0;
    std::vector<transport::Endpoint> endpoints;  // the published ones
  };
  virtual ~LaneHost() = default;
  // Starts threads that serve free ports of the ORB's listening addresses, until the ORB stops or the lane is
  // closed. Throws INITIALIZE and NO_RESOURCES.
  virtual Opened open_lane(const server::PoolThreads& threads) = 0;
  // The name of a transport in endpoints; empty if the ORB has none with that profile tag.
  virtual std::string protocol_name(std::uint32_t protocol) const = 0;
  // Why connections of the ORB cannot have this messaging or these settings; empty if they can.
  virtual std::string validate(const reference::ProtocolChoice& choice) const = 0;
  // Addresses at which clients reach the ORB by these protocols, in this order. Starts listening where it
  // does not yet, or where the options differ from the ORB's. `priority`: of all requests there, if they have
  // one. Throws INITIALIZE.
  virtual std::vector<transport::Endpoint> endpoints_for(const reference::ProtocolChoices& choices,
                                                         std::optional<std::int16_t> priority) = 0;
  // The same for an open lane of that priority.
  virtual std::vector<transport::Endpoint> endpoints_of_lane(const reference::ProtocolChoices& choices,
                                                             const Opened& lane, std::int16_t priority) = 0;
  // Changes the maximum for a lane that was opened with dynamic threads or with a buffer.
  virtual void change_dynamic_threads(std::uint64_t id, unsigned most) = 0;
  // Like ServerConcurrency::in_each_thread(), for the threads of that lane.
  virtual unsigned in_each_thread(std::uint64_t id, const std::shared_ptr<server::ThreadRound>& round) = 0;
  // Waits for upcalls in progress in all of them, as long as shutdown does. It does not end upcalls that take
  // longer.
  virtual void close_lanes(std::span<const std::uint64_t> ids) = 0;
};

}  // namespace takt::rt
