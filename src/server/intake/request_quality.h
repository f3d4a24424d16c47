// Applies a request's quality to the thread that serves it.
#pragma once

#include <chrono>
#include <cstdint>

#include <takt/reference/quality.h>
#include <takt/server/server_call.h>

#include "giop/contexts/quality.h"
#include "server/request/upcall_context.h"

namespace takt::server {

class Server;

// While it lives, the calling thread has the quality of a received request, and so do the calls that it
// makes. The destructor restores the thread's former quality. The first object in a thread allocates.
class ReceivedQuality {
 public:
  // `client`: the number of the request's connection; 0: none.
  ReceivedQuality(const giop::WireQuality& quality, std::chrono::steady_clock::time_point arrived_at,
                  std::uint64_t client = 0);
  ~ReceivedQuality();
  ReceivedQuality(const ReceivedQuality&) = delete;
  ReceivedQuality& operator=(const ReceivedQuality&) = delete;

  // The connection's number of the request that the calling thread serves. 0: none.
  static std::uint64_t present_client() { return UpcallContext::mine().client; }

  bool in_time() const {
    return quality_.deadline == Quality::no_deadline || Quality::Clock::now() < quality_.deadline;
  }

 private:
  Quality quality_;
  const Quality* const outer_;
  const std::uint64_t outer_client_;
};

// A new connection number, unique in this process. Any thread.
std::uint64_t next_connection_number();

// Answers TIMEOUT to a request that is not dispatched, and counts it.
void answer_too_late(ServerCall& call, Server& server);
// Whether the deadline of the calling thread's request, which has waited before its upcall, has passed.
bool is_too_late();
// Counts and logs the request. Returns the exception that refuses it.
CORBA::TIMEOUT too_late(std::string_view operation, Server& server);

}  // namespace takt::server
