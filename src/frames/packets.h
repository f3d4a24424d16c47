// Carriers for the packets of frames, in both directions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/frames/frames.h>
#include <takt/os/clock.h>
#include <takt/transport/endpoint.h>

#include "client/client.h"
#include "frames/protocol/packet.h"

namespace takt::frames {

inline constexpr std::string_view datagrams = "udp";  // the transport name of UDP in a FrameStream

// One thread at a time.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  // Sends the packets of a frame without waiting. Returns false if there was no room for one, so that it and
  // those after it are lost; their numbers are used up. Throws COMM_FAILURE once nothing can be sent any
  // more.
  virtual bool send(Packetizer& packets) = 0;
};

// The code point of differentiated services. Throws BAD_PARAM unless it is from -1 (none) to 63.
int checked_code_point(int dscp);
// To one receiver, or to a group. Throws TRANSIENT if the receiver cannot be reached, BAD_PARAM for options
// out of range.
std::unique_ptr<PacketSink> datagrams_to(const transport::Endpoint& to, const FrameSending& sending);
// Sends over one connection. `client`, which has its transport, is kept alive as long.
std::unique_ptr<PacketSink> connection_to(const transport::Endpoint& to,
                                          std::shared_ptr<client::Client> client, int dscp);

// One thread at a time, except close().
class PacketSource {
 public:
  enum class Taken : std::uint8_t {
    refused,  // it does not belong to the stream
    taken,    // accepted: its sender becomes the stream's sender
    enough,   // accepted, but sources that can leave the rest with the sender do so
    full,     // accepted, but with many more, frames that are complete would be given up: all leave the rest
  };
  // `from_another`: the packet's sender is not that of the packets that were taken before.
  using Take = std::function<Taken(ByteView packet, bool from_another)>;

  virtual ~PacketSource() = default;
  // The address that a sender sends to.
  virtual const transport::Endpoint& where() const = 0;
  // Passes the packets that have arrived to `take`, or some of them if there are many, or if one is `full`.
  virtual void take_all(const Take& take) = 0;
  // Whether all that had arrived was taken, so that wait() may come before take_all(): it returns at once if
  // there is more. This saves a look in vain for each frame of a stream that its receiver keeps up with.
  virtual bool is_emptied() const { return false; }
  // Packets from others than the stream's sender, which were not passed. Any thread.
  virtual std::uint64_t ignored() const { return 0; }
  // Waits until packets may have arrived, `until`, or close().
  virtual void wait(os::TimePoint until) = 0;
  // Any thread.
  virtual void close() = 0;
};

// Throws TRANSIENT if the system refuses.
std::unique_ptr<PacketSource> datagrams_at(const std::string& host, std::uint16_t port);
// As a member of the group; `senders` as in FrameReceiver::of_group(). Throws BAD_PARAM if it is not the
// address of a group.
std::unique_ptr<PacketSource> datagrams_of_group(const transport::Endpoint& group,
                                                 const std::string& interface,
                                                 const std::vector<std::string>& senders);
std::unique_ptr<PacketSource> connections_at(const transport::Endpoint& at,
                                             std::shared_ptr<client::Client> client);

}  // namespace takt::frames
