// UDP sockets of the real-time event channel's datagrams.
#pragma once

#include <memory>
#include <string>

#include "rt_events/datagrams/datagram_gateway.h"

namespace takt::command {

struct DatagramSettings {
  std::string to, from;    // "HOST:PORT", each may be a multicast group; empty: none
  std::string interface;   // for groups, such as eth0; empty: the system chooses
  std::uint64_t hops = 1;  // networks that datagrams to a group may cross
  std::uint64_t packet_bytes = 1'024;
};

// The sockets of the settings. What one sends, the other leaves out. They resolve no names.
class DatagramSockets {
 public:
  // Throws a Failure that names the option and the reason.
  explicit DatagramSockets(const DatagramSettings& settings);
  // Null if there is none, or it was taken.
  std::unique_ptr<rt_events::DatagramSender> take_sender() { return std::move(sender_); }
  std::unique_ptr<rt_events::DatagramReceiver> take_receiver() { return std::move(receiver_); }

 private:
  std::unique_ptr<rt_events::DatagramSender> sender_;
  std::unique_ptr<rt_events::DatagramReceiver> receiver_;
};

}  // namespace takt::command
