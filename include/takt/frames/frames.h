// Sending and receiving frames of audio or video, beside the calls that control them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <takt/giop/frames.h>

namespace takt {

namespace frames {
class PacketSink;
class PacketSource;
}  // namespace frames

// Where a stream goes, and how it is known there: what a receiver tells its sender, by a call for instance
// (Takt::Frames::Receiver).
struct FrameStream {
  std::string host;  // a name, or a number; IPv6 without brackets
  std::uint16_t port = 0;
  std::uint32_t source = 0;  // RTP's SSRC, which the receiver has drawn at random
  std::uint32_t clock_rate = 0;
  // "udp": in datagrams. Else the name of one of the ORB's transports: over a connection, and `host` is what
  // an endpoint of it has there. takt::FrameStreams, of <takt/orb/frames.h>, makes those.
  std::string transport = "udp";
};

// One thread at a time. What is sent is never sent again, and nobody answers; the receiver's reports say what
// came of it.
class FrameSender {
 public:
  static constexpr std::size_t usual_datagram_bytes = 1232;  // passes every network of IPv6 in one piece
  static constexpr std::size_t usual_packet_bytes = 65'000;  // over a connection

  // Over UDP. Throws TRANSIENT where the host's name has no address or the system no socket, BAD_PARAM for
  // another transport, and for packets, each in a datagram, of less than 64 octets or more than 65,000. Looks
  // the name up, so it may block.
  explicit FrameSender(const FrameStream& to, std::size_t packet_bytes = usual_datagram_bytes);
  ~FrameSender();
  FrameSender(FrameSender&&) noexcept;
  FrameSender& operator=(FrameSender&&) noexcept;

  // In as many packets as it takes, without waiting. False: the system had no room for all of them, so the
  // frame is lost. BAD_PARAM for an empty one, or one of more than 65,535 packets. COMM_FAILURE where the
  // connection has ended. One system call for each packet; over a connection perhaps one more. Allocates at
  // first.
  bool send(std::span<const std::uint8_t> frame, std::uint32_t timestamp);

 private:
  friend class FrameStreams;
  class Sending;
  FrameSender(std::unique_ptr<frames::PacketSink> packets, std::uint32_t source, std::size_t packet_bytes);

  std::unique_ptr<Sending> sending_;
};

// Of one stream, from one sender.
class FrameReceiver {
 public:
  // Over UDP: at that address of this machine, and a port of the system's choice. Throws TRANSIENT where the
  // system refuses, BAD_PARAM for a clock rate of 0.
  explicit FrameReceiver(const std::string& host, const FrameOptions& options = {});
  ~FrameReceiver();
  FrameReceiver(FrameReceiver&&) noexcept;
  FrameReceiver& operator=(FrameReceiver&&) noexcept;

  const FrameStream& stream() const;
  // The next frame, as the options say. Nothing: none came in that time, or close() was called. One thread.
  std::optional<Frame> receive(std::chrono::nanoseconds timeout);
  // How well it arrives; begins the interval that the next report's fraction_lost is about. Any thread.
  FrameReport report();
  // receive() gives nothing any more. Any thread.
  void close();

 private:
  friend class FrameStreams;
  class Receiving;
  FrameReceiver(std::unique_ptr<frames::PacketSource> packets, const FrameOptions& options);

  std::unique_ptr<Receiving> receiving_;
};

}  // namespace takt
