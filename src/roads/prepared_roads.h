// Local roads that are opened later, for connections that have gone by TCP because the server was late.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <takt/os/clock.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

#include "reference/local_roads.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/thread.h"

namespace takt::roads {

// A thread of its own opens the roads, so that it may be patient and no call waits for it. It begins with the
// first connection that wants a road, and tries in rounds: the pauses begin with `first_pause` and double,
// and after `most_rounds` the connections stay on TCP. Streams that no channel has taken by then are closed.
// Any thread; locks briefly.
class PreparedRoads {
 public:
  static constexpr std::chrono::milliseconds first_pause{100};
  static constexpr unsigned most_rounds = 8;                 // the last one 12.8 s after the first failure
  static constexpr std::chrono::milliseconds patience{100};  // with a server, for each attempt
  static constexpr std::size_t most_servers = 64, most_connections = 64;  // each of one server

  struct Target {
    reference::RoadOffer offer;
    transport::Endpoint to;  // the server's TCP address
    transport::StreamOptions options;
  };
  struct Attempt {
    std::unique_ptr<transport::Stream> stream;  // null: not admitted
    bool again = false;                         // and a later attempt may succeed
  };
  // Makes one attempt until that time. Called by the thread, without a lock.
  using Open = std::function<Attempt(const Target&, os::TimePoint until)>;

  explicit PreparedRoads(Open open) : open_(std::move(open)) {}
  ~PreparedRoads() { stop(); }

  // Called by the thread after each round that leaves something to take. Set before the first want().
  void on_ready(std::function<void()> ready) { ready_ = std::move(ready); }
  // One more connection to that address, by that offer, goes by TCP. `begins`: false if it counts only where
  // others do already. Without a thread, or beyond the limits, nothing happens.
  void want(const Target& target, bool begins);
  // Whether a road to that address was ever prepared by that offer.
  bool has_led_to(const reference::RoadOffer& offer, const transport::Endpoint& to) const;
  // A stream by that offer and with these options; null if there is none. Does not block.
  std::unique_ptr<transport::Stream> take(const reference::RoadOffer& offer, const transport::Endpoint& to,
                                          const transport::StreamOptions& options);
  // Ends the thread, and closes what no channel has taken. Waits for an attempt. Afterwards want() does
  // nothing.
  void stop();

 private:
  struct Wanted {
    Target target;
    std::size_t connections = 0;  // that go by TCP
    unsigned rounds = 0;
    os::TimePoint next{};
    std::vector<std::unique_ptr<transport::Stream>> ready = {};
  };
  using Lock = os::PriorityCondition::Lock;

  bool begin();
  void run();
  bool fill(Lock& lock, Wanted& wanted);
  void make_round(Lock& lock, std::list<Wanted>::iterator wanted);

  const Open open_;
  std::function<void()> ready_ = [] {};
  std::atomic<bool> any_{false};  // `led_to_` is not empty
  mutable os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::list<Wanted> wanted_;  // only the thread removes entries
  std::vector<std::pair<reference::RoadOffer, transport::Endpoint>> led_to_;
  bool stopped_ = false;
  os::Thread thread_;
};

}  // namespace takt::roads
