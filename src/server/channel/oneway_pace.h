// Decides when a thread that serves oneways yields the processor to their client.
#pragma once

#include <chrono>

namespace takt::server {

// If a client that sends oneways one by one shares a processor with the thread that serves them, serving each
// at once would interrupt the client each time. After many fast single oneways, the thread yields until the
// client waits, and the next read gets all oneways sent by then. If yielding took long, because another
// process ran or the client never waits, the thread stops yielding for some time. Used by one thread.
class OnewayPace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A oneway has been served, and a part of the next message had arrived with it.
  void note_together() { lone_ = 0; }
  // A oneway that was read alone has been served. True: yield the processor, then call note_yielded().
  bool yields_after_lone(Time now) {
    lone_ = now - last_ < fast ? lone_ + 1 : 0;
    last_ = now;
    if (lone_ < many || now < yields_from_) return false;
    lone_ = 0;
    return true;
  }
  void note_yielded(Time now) {
    if (now - last_ > longest) yields_from_ = now + pause;
    last_ = now;
  }

 private:
  static constexpr unsigned many = 16;
  static constexpr std::chrono::nanoseconds fast = std::chrono::microseconds(100),
                                            longest = std::chrono::milliseconds(1),
                                            pause = std::chrono::seconds(1);

  Time last_{};         // when the last oneway was served, or the thread had yielded
  Time yields_from_{};  // not before
  unsigned lone_ = 0;   // number of successive fast oneways that were each read alone
};

}  // namespace takt::server
