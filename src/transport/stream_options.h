// What can be set for each connection.
#pragma once

#include <chrono>

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
};

}  // namespace takt::transport
