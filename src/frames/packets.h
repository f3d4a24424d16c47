// What carries the packets of frames: how they leave, and how they come.
#pragma once

#include <functional>
#include <memory>

#include <takt/base/bytes.h>
#include <takt/os/clock.h>
#include <takt/transport/endpoint.h>

#include "client/client.h"

namespace takt::frames {

inline constexpr std::string_view datagrams = "udp";  // as a stream of frames names its transport

// One thread.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  // Without waiting. False: there was no room, so the packet is lost. COMM_FAILURE where nothing goes any
  // more.
  virtual bool send(ByteView packet) = 0;
};

// TRANSIENT where the receiver cannot be reached.
std::unique_ptr<PacketSink> datagrams_to(const transport::Endpoint& to);
// Over one connection, for which the client, whose transport it is, lives as long.
std::unique_ptr<PacketSink> connection_to(const transport::Endpoint& to,
                                          std::shared_ptr<client::Client> client);

// One thread, but for close().
class PacketSource {
 public:
  enum class Taken : std::uint8_t {
    refused,  // it is none of the stream's
    taken,    // so its sender is the stream's from then on
    enough,   // likewise; and whoever can leave the rest for later does
  };
  using Take = std::function<Taken(ByteView packet)>;

  virtual ~PacketSource() = default;
  // Where a sender sends to.
  virtual const transport::Endpoint& where() const = 0;
  // What has come; of much, some.
  virtual void take_all(const Take& take) = 0;
  // Until something may have come, the time, or close().
  virtual void wait(os::TimePoint until) = 0;
  // Any thread.
  virtual void close() = 0;
};

// TRANSIENT where the system refuses.
std::unique_ptr<PacketSource> datagrams_at(const std::string& host, std::uint16_t port);
std::unique_ptr<PacketSource> connections_at(const transport::Endpoint& at,
                                             std::shared_ptr<client::Client> client);

}  // namespace takt::frames
