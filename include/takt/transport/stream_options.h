// Options of each connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <takt/transport/marking.h>

namespace takt::transport {

// It is large because each option is a member.
struct StreamOptions {
  // Send small messages at once (TCP_NODELAY) instead of waiting for more.
  bool no_delay = true;
  // Probe silent peers, to detect one that vanished: first after keep_alive_idle, then every
  // keep_alive_interval, until keep_alive_probes went unanswered.
  bool keep_alive = false;
  std::chrono::seconds keep_alive_idle{60};
  std::chrono::seconds keep_alive_interval{10};
  int keep_alive_probes = 6;
  // System buffer sizes per connection, in octets. 0 lets the system choose and adapt.
  int send_buffer_bytes = 0;
  int receive_buffer_bytes = 0;
  // Reach only hosts on directly connected networks, bypassing any gateway (SO_DONTROUTE).
  bool dont_route = false;
  // Differentiated services code point, 0 to 63, by which networks tell traffic classes apart. -1 keeps the
  // system's.
  int dscp = -1;
  // Priority in the device queues of this machine (SO_PRIORITY); 7 and above need CAP_NET_ADMIN. -1 keeps the
  // system's.
  int priority = -1;
  // The origin of dscp and priority.
  MarkedBy marked_by = MarkedBy::orb;
  // How long a read polls the network device (SO_BUSY_POLL) or shared memory before it sleeps. With 0 the
  // system decides for the device, and shared memory is not polled. With adaptive_poll the device is as with
  // 0. Shared memory is then polled as long as waits are short. poll_share limits that for the whole process,
  // in percent of a processor.
  std::chrono::microseconds busy_poll{0};
  static constexpr std::chrono::microseconds adaptive_poll{-1};
  int poll_share = 100;
  // For shared memory: size of each side's pool of lent buffers (Stream::borrow), per connection.
  int lent_bytes = 16 << 20;
  // For shared memory: allocate the rings' pages at the start, so that no call waits for a page fault.
  bool preallocate = false;
  // Settings from a protocol policy, for a transport that defines some (Transport::validate).
  std::string settings;

  friend bool operator==(const StreamOptions&, const StreamOptions&) = default;
};

// Returns the options with what `marking` sets. A code point without a socket priority implies the matching
// one, unless the options already have a priority.
StreamOptions marked(StreamOptions options, const Marking& marking, MarkedBy by);

// Options that a policy sets; those that are unset leave the option unchanged.
struct StreamOverrides {
  std::optional<bool> no_delay, keep_alive, dont_route, preallocate;
  std::optional<int> send_buffer_bytes, receive_buffer_bytes, dscp, priority;
  std::optional<std::chrono::microseconds> busy_poll;
  std::optional<std::string> settings;
  // Replaces dscp and priority for the RT-CORBA priorities that it covers.
  MarkingByPriority by_priority;

  bool any() const { return *this != StreamOverrides(); }
  StreamOptions over(StreamOptions options) const;
  // The options for a connection of this RT-CORBA priority, if it has one.
  StreamOptions over(StreamOptions options, std::optional<std::int16_t> of) const;
  // The highest SO_PRIORITY that it sets; -1 if none.
  int highest_priority() const;
  // Whether it sets the code point of a connection of this RT-CORBA priority.
  bool says_dscp(std::optional<std::int16_t> of) const;
  // A key: equal for equal values.
  std::string text() const;

  friend bool operator==(const StreamOverrides&, const StreamOverrides&) = default;
};

}  // namespace takt::transport
