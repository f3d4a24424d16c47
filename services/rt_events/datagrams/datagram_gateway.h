// Passes events between channels by datagrams, to one address or to a multicast group.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rt_events/datagrams/packets.h"
#include "rt_events/event_channel.h"

namespace takt::rt_events {

// A socket that sends datagrams to one address. It must outlive the gateway.
class DatagramSender {
 public:
  virtual ~DatagramSender() = default;
  // Does not wait. False: the datagram is lost.
  virtual bool send(ByteView datagram) = 0;
};

// A socket that receives datagrams.
class DatagramReceiver {
 public:
  struct Datagram {
    PacketSender sender;
    std::size_t bytes = 0;
  };
  virtual ~DatagramReceiver() = default;
  // Waits up to `patience`. Empty if none came, or one of this machine's own senders.
  virtual std::optional<Datagram> receive(std::span<std::uint8_t> into,
                                          std::chrono::milliseconds patience) = 0;
};

// Sends the events of a channel whose ttl is above 0, with 1 less, each in a request of its own. After a
// datagram that could not be sent, the rest of its event is not sent. Its place in the channel has a
// queue as that of each consumer, in the last level. Datagrams that are lost are not sent again. Any thread.
class DatagramOutput {
 public:
  struct Counts {
    std::uint64_t events = 0, packets = 0;
    std::uint64_t lost = 0;  // events that were not sent, or not wholly: too large, or the socket was full
  };
  // Fails as EventChannel::connect().
  static std::expected<std::unique_ptr<DatagramOutput>, std::string> connect(
      EventChannel& channel, std::unique_ptr<DatagramSender> sender, std::size_t packet_bytes = 1'024);
  // Ends it, before the channel.
  ~DatagramOutput();
  Counts counts() const;

 private:
  class Consumer;
  DatagramOutput(std::shared_ptr<Consumer> consumer, std::unique_ptr<EventConnection> connection);

  const std::shared_ptr<Consumer> consumer_;
  const std::unique_ptr<EventConnection> connection_;
};

// Brings events of datagrams into a channel, by a thread of its own. The sender has taken 1 of the ttl,
// so that 0 is accepted here. Anyone who can send to the socket can push events.
class DatagramInput {
 public:
  struct Counts {
    PacketAssembler::Counts packets;
    std::uint64_t events = 0;
    std::uint64_t expired = 0;    // events whose ttl was below 0
    std::uint64_t failed = 0;     // packets that raised an exception, such as for want of memory
    std::uint64_t malformed = 0;  // complete requests that are no events
  };
  // `most_hops`: the most of an event's ttl that it keeps, beside EventChannelOptions::most_hops. Give 0 if
  // the channel has a DatagramOutput to the same group, because otherwise each member sends the event again.
  DatagramInput(EventChannel& channel, std::unique_ptr<DatagramReceiver> receiver, std::int32_t most_hops,
                const AssemblyLimits& limits = {});
  // Ends it, before the channel.
  ~DatagramInput();
  Counts counts() const;

 private:
  void work(const std::stop_token& stop);
  void take(std::span<std::uint8_t> packet);

  EventChannel& channel_;
  const std::unique_ptr<DatagramReceiver> receiver_;
  const std::int32_t most_hops_;
  PacketAssembler assembler_;  // used by the thread alone
  mutable std::mutex mutex_;
  Counts counts_;
  std::jthread thread_;  // last, because it uses the other members
};

}  // namespace takt::rt_events
