// What the server's side of an ORB does for thread pools.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/policies/protocol_choice.h"
#include "reference/publication.h"
#include "server/pool_threads.h"
#include "server/thread_round.h"

namespace takt::rt {

// Any thread.
class LaneHost {
 public:
  struct Opened {
    std::uint64_t id = 0;
    std::vector<transport::Endpoint> endpoints;  // as published
  };
  virtual ~LaneHost() = default;
  // Starts threads that serve free ports of the addresses where the ORB listens, until the ORB stops or the
  // lane is closed. Throws INITIALIZE and NO_RESOURCES.
  virtual Opened open_lane(const server::PoolThreads& threads) = 0;
  // The name of a transport, as endpoints have it; empty: the ORB has none of that profile tag.
  virtual std::string protocol_name(std::uint32_t protocol) const = 0;
  // Why connections of the ORB cannot have the choice's messaging or settings; empty: they can.
  virtual std::string wrong_with(const reference::ProtocolChoice& choice) const = 0;
  // Where clients reach the ORB by these protocols, in this order; listens there, where it does not yet, and
  // where the options are not the ORB's. `priority`: of all requests there, if they have one. Throws
  // INITIALIZE.
  virtual std::vector<transport::Endpoint> endpoints_for(const reference::ProtocolChoices& choices,
                                                         std::optional<std::int16_t> priority) = 0;
  // The same for a lane that is open, of that priority.
  virtual std::vector<transport::Endpoint> endpoints_of_lane(const reference::ProtocolChoices& choices,
                                                             const Opened& lane, std::int16_t priority) = 0;
  // The most from now on, of a lane that was opened with some or with a buffer; others have none.
  virtual void change_dynamic_threads(std::uint64_t id, unsigned most) = 0;
  // As ServerConcurrency::in_each_thread(), by those of that lane.
  virtual unsigned in_each_thread(std::uint64_t id, const std::shared_ptr<server::ThreadRound>& round) = 0;
  // Waits for upcalls in progress, as long as shutting down does.
  virtual void close_lane(std::uint64_t id) = 0;
};

}  // namespace takt::rt
