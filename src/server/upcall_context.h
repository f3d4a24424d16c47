// What a thread knows of the request that it serves.
#pragma once

#include <chrono>
#include <cstdint>

namespace takt::server {

class PresentArrival;
class ServerCall;
struct Peer;
struct RequestTimes;

// The calling thread's; all of it is as below while it serves none. Each member belongs to the scope that
// sets it, which puts back what was there before.
struct UpcallContext {
  const Peer* peer = nullptr;           // whose request it is (PresentPeer)
  const RequestTimes* times = nullptr;  // the standard's, where the request has any (TimedRequest)
  std::uint64_t client = 0;  // the number of its connection, where it has a quality (ReceivedQuality)
  const PresentArrival* arrival = nullptr;  // in a queue, until somebody takes it
  const ServerCall* scheduled = nullptr;    // that runs at what a schedule says (rt::ThreadPriority)
  // What was refused of the last read for coming too fast (ReadDelay).
  std::chrono::steady_clock::time_point unread_until{};
  unsigned refused_too_fast = 0;

  static UpcallContext& mine() { return mine_; }

 private:
  static thread_local constinit UpcallContext mine_;
};

inline thread_local constinit UpcallContext UpcallContext::mine_;

}  // namespace takt::server
