// A thread's data about the request that it serves.
#pragma once

#include <chrono>
#include <cstdint>

namespace takt::server {

class PresentArrival;
class ServerCall;
struct Peer;
struct RequestTimes;

// Each thread has one. Members have their default values while the thread serves no request. The scope that
// sets a member restores its former value.
struct UpcallContext {
  const Peer* peer = nullptr;               // the peer that sent the request (PresentPeer)
  const RequestTimes* times = nullptr;      // start and end times; null if it has none (TimedRequest)
  std::uint64_t client = 0;                 // number of its connection, if it has a quality (ReceivedQuality)
  const PresentArrival* arrival = nullptr;  // arrival in a queue, until it is taken (PresentArrival)
  const ServerCall* scheduled = nullptr;    // runs at a scheduled priority (rt::ThreadPriority)
  // Requests of the last read that were refused because they arrived too fast (ReadDelay).
  std::chrono::steady_clock::time_point unread_until{};
  unsigned refused_too_fast = 0;

  static UpcallContext& mine() { return mine_; }

 private:
  static thread_local constinit UpcallContext mine_;
};

inline thread_local constinit UpcallContext UpcallContext::mine_;

}  // namespace takt::server
