// The messages of a recording as packets of TCP over IP, for programs that show what passes on a network.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "recorder/recording_file.h"

namespace takt::command {

struct TcpPacket {
  std::int64_t time_ns = 0;  // since 1970, UTC
  recorder::Direction direction = recorder::Direction::received;
  std::vector<std::uint8_t> octets;  // from the head of IP on
  std::uint32_t bytes = 0;           // size of the packet with the octets that were not kept
  std::string comment;               // empty: none
};

// Makes packets of messages as they pass.
class PacketMaker {
 public:
  PacketMaker();
  ~PacketMaker();
  // Adds the packets of the message, which is the next one. `connections`: what is known of them.
  void add(const recorder::ReadMessage& message,
           const std::map<std::uint32_t, recorder::ReadConnection>& connections,
           std::vector<TcpPacket>& packets);

 private:
  class Conversation;
  std::map<std::uint32_t, Conversation> conversations_;
};

// In the order of the messages. A connection whose first octets are in the recording begins with the three
// packets that open one. Octets that were not kept are missing at the ends of packets, and where a message
// has more than a packet holds, between them; sequence numbers count them.
std::vector<TcpPacket> packets_of(const recorder::Recording& recording);

}  // namespace takt::command
