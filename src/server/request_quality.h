// The quality of a request in the thread that serves it.
#pragma once

#include <chrono>
#include <cstdint>

#include <takt/reference/quality.h>
#include <takt/server/server_call.h>

#include "giop/contexts/quality.h"
#include "server/upcall_context.h"

namespace takt::server {

class Server;

// While it lives, the calling thread has the quality of a request that has arrived, and so have the calls it
// makes. Whatever it had before, it has again afterwards. Allocates in a thread's first.
class ReceivedQuality {
 public:
  // `client`: the number of the connection by which it came; 0: none.
  ReceivedQuality(const giop::WireQuality& quality, std::chrono::steady_clock::time_point arrived_at,
                  std::uint64_t client = 0);
  ~ReceivedQuality();
  ReceivedQuality(const ReceivedQuality&) = delete;
  ReceivedQuality& operator=(const ReceivedQuality&) = delete;

  // Of the request that the calling thread serves; 0: it has none.
  static std::uint64_t present_client() { return UpcallContext::mine().client; }

  bool in_time() const {
    return quality_.deadline == Quality::no_deadline || Quality::Clock::now() < quality_.deadline;
  }

 private:
  Quality quality_;
  const Quality* const outer_;
  const std::uint64_t outer_client_;
};

// No other connection of the process has it.
std::uint64_t next_connection_number();

// The request is not dispatched: TIMEOUT, counted.
void answer_too_late(ServerCall& call, Server& server);
// The same where it has waited before its upcall: throws TIMEOUT if its deadline has passed.
void refuse_if_too_late(Server& server);

}  // namespace takt::server
