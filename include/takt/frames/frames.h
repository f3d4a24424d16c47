// Sending and receiving audio or video frames, separately from the calls that control them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/frames/frame.h>

namespace takt {

namespace frames {
class PacketSink;
class PacketSource;
}  // namespace frames

// Destination and identity of a stream. A receiver gives it to its sender, for instance in a call
// (Takt::Frames::Receiver).
struct FrameStream {
  // A name or an IP address; IPv6 without brackets. Over UDP also the address of a group (224.0.0.0 to
  // 239.255.255.255, ff00::/8), whose members all receive the stream.
  std::string host;
  std::uint16_t port = 0;
  std::uint32_t source = 0;  // RTP's SSRC, chosen at random by the receiver; by the sender to a group
  std::uint32_t clock_rate = 0;
  // "udp" sends datagrams. The name of one of the ORB's transports sends over a connection, and `host` is
  // then the host of that transport's endpoint. takt::FrameStreams, of <takt/orb/frames.h>, makes such
  // streams.
  std::string transport = "udp";
};

// How a sender's packets are sent.
struct FrameSending {
  std::size_t packet_bytes = 0;  // largest packet; 0: FrameSender's usual size for the carrier
  int dscp =
      -1;  // code point of differentiated services, 0 to 63; -1: as the ORB's options or the system say
  // To groups only.
  std::string interface = {};  // network interface, such as "eth0"; empty: the system's routes choose
  // Time to live, 0 to 255: 1 stays on the local network, 0 on this machine. -1: groups are refused.
  int hops = 1;
};

// Packets are neither retransmitted nor acknowledged; the receiver's reports count losses. One thread at a
// time.
class FrameSender {
 public:
  static constexpr std::size_t usual_datagram_bytes = 1232;  // fits the minimum MTU of IPv6
  static constexpr std::size_t usual_packet_bytes = 65'000;  // over a connection

  // Sends over UDP. Throws TRANSIENT if the host name does not resolve or no socket is available, BAD_PARAM
  // for another transport or packets outside 64 to 65,000 octets, each sent as a datagram. Resolves the name,
  // so it may block.
  explicit FrameSender(const FrameStream& to, std::size_t packet_bytes = usual_datagram_bytes);
  // Throws BAD_PARAM for a code point or hops out of range, too, and TRANSIENT for an unknown interface.
  FrameSender(const FrameStream& to, const FrameSending& sending);
  ~FrameSender();
  FrameSender(FrameSender&&) noexcept;
  FrameSender& operator=(FrameSender&&) noexcept;

  // Sends a frame in as many packets as it takes, without waiting. Returns false if the system had no room
  // for all of them, so that the frame is lost. Throws BAD_PARAM for an empty frame or one of more than
  // 65,535 packets. Throws COMM_FAILURE if the connection has ended, or if the receiver's host has refused
  // datagrams for a second because nothing receives them, or could not be reached for ten. Makes one system
  // call per packet, over a connection perhaps one more. Allocates only at first.
  bool send(std::span<const std::uint8_t> frame, std::uint32_t timestamp);

 private:
  friend class FrameStreams;
  class Sending;
  FrameSender(std::unique_ptr<frames::PacketSink> packets, std::uint32_t source, std::size_t packet_bytes);

  std::unique_ptr<Sending> sending_;
};

// Receives one stream from one sender.
class FrameReceiver {
 public:
  // Receives over UDP, at that address of this machine and a port that the system chooses. "0.0.0.0", "::"
  // and an empty host stand for all its addresses; stream() then has the one that leads to other networks.
  // Throws TRANSIENT if the system refuses, BAD_PARAM for a clock rate of 0.
  explicit FrameReceiver(const std::string& host, const FrameOptions& options = {});
  // Receives what is sent to a group, of its stream only. Others on this machine may receive the same.
  // `interface`: as in FrameSending. `senders`: addresses of the machines whose packets alone are taken, such
  // as "192.0.2.7"; empty: of all. Throws BAD_PARAM if the stream's host is no group or a sender no address,
  // and like the other constructor.
  static FrameReceiver of_group(const FrameStream& group, const std::string& interface,
                                const FrameOptions& options = {},
                                const std::vector<std::string>& senders = {});
  ~FrameReceiver();
  FrameReceiver(FrameReceiver&&) noexcept;
  FrameReceiver& operator=(FrameReceiver&&) noexcept;

  const FrameStream& stream() const;
  // The next frame, chosen as the options say. Empty if none came within `timeout`, or after close(). One
  // thread at a time.
  std::optional<Frame> receive(std::chrono::nanoseconds timeout);
  // Reception statistics. Starts the interval of the next report's fraction_lost. Any thread.
  FrameReport report();
  // Makes receive() return nothing from now on. Any thread.
  void close();

 private:
  friend class FrameStreams;
  class Receiving;
  FrameReceiver(std::unique_ptr<frames::PacketSource> packets, const FrameOptions& options);
  FrameReceiver(std::unique_ptr<frames::PacketSource> packets, const FrameOptions& options,
                std::uint32_t source);

  std::unique_ptr<Receiving> receiving_;
};

}  // namespace takt
