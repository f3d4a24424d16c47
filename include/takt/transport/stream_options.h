// What can be set for each connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <takt/transport/marking.h>

namespace takt::transport {

struct StreamOptions {
  // Send small messages at once (TCP_NODELAY) instead of waiting for more.
  bool no_delay = true;
  // Probe silent peers, so that one that vanished without a word is noticed: first after keep_alive_idle,
  // then every keep_alive_interval, until keep_alive_probes went unanswered.
  bool keep_alive = false;
  std::chrono::seconds keep_alive_idle{60};
  std::chrono::seconds keep_alive_interval{10};
  int keep_alive_probes = 6;
  // Octets that the system buffers per connection and direction; 0: the system decides and adapts.
  int send_buffer_bytes = 0;
  int receive_buffer_bytes = 0;
  // Only to hosts of networks that this machine is in, past any gateway (SO_DONTROUTE).
  bool dont_route = false;
  // Differentiated services code point, 0 to 63, by which networks tell classes of traffic apart; -1: the
  // system's.
  int dscp = -1;
  // In the queues of this machine's devices (SO_PRIORITY); from 7 on it takes CAP_NET_ADMIN. -1: the
  // system's.
  int priority = -1;
  // Whose these two are.
  MarkedBy marked_by = MarkedBy::orb;
  // How long a read polls the network device before it sleeps (SO_BUSY_POLL), or looks at shared memory; 0:
  // the system decides, and not at all.
  std::chrono::microseconds busy_poll{0};
  // Of shared memory: from how much of a connection's own it lends its client buffers (Stream::borrow).
  int lent_bytes = 16 << 20;
  // Of shared memory: the rings are there from the start, so that no call waits for a page of theirs.
  bool preallocate = false;
  // For a transport that has settings of its own (Transport::wrong_with): what a policy says of these.
  std::string settings;

  friend bool operator==(const StreamOptions&, const StreamOptions&) = default;
};

// With the marking, where it says something. A code point without a socket priority brings its own, unless
// the options have one.
StreamOptions marked(StreamOptions options, const Marking& marking, MarkedBy by);

// What somebody has to say of it; the rest stays as it was.
struct StreamOverrides {
  std::optional<bool> no_delay, keep_alive, dont_route, preallocate;
  std::optional<int> send_buffer_bytes, receive_buffer_bytes, dscp, priority;
  std::optional<std::chrono::microseconds> busy_poll;
  std::optional<std::string> settings;
  // In place of dscp and priority, for the priorities that it covers.
  MarkingByPriority by_priority;

  bool any() const { return *this != StreamOverrides(); }
  StreamOptions over(StreamOptions options) const;
  // For a connection of that RT-CORBA priority, if it has one.
  StreamOptions over(StreamOptions options, std::optional<std::int16_t> of) const;
  // The highest socket priority that it says; -1: none.
  int highest_priority() const;
  // Whether it says the code point of such a connection.
  bool says_dscp(std::optional<std::int16_t> of) const;
  // Equal for those that are equal.
  std::string text() const;

  friend bool operator==(const StreamOverrides&, const StreamOverrides&) = default;
};

}  // namespace takt::transport
