// A reliable stream in each direction, over datagrams that may be lost, duplicated or reordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/udp/datagram.h"
#include "transport/udp/udp_options.h"

namespace takt::transport {

// One end of a connection, without a socket or a clock. Its input comes from the peer, or from an attacker
// who knows the connection's token. Octets are accepted once and in order, so duplicates are not delivered
// again. A datagram that is ahead is dropped and requested again once.
//
// The waiting end repeats. An end that has sent and only listens does nothing of its own accord; it answers a
// repetition with what the peer lacks. It is large because both directions are here.
class DatagramFlow {
 public:
  DatagramFlow(std::uint64_t token, const DatagramLimits& limits);

  // Octets that put() accepts. They are kept until they are acknowledged.
  std::size_t room() const { return ring_.size() - (written_ - acknowledged_); }
  bool acknowledged() const { return written_ == acknowledged_; }
  // Whether octets, or the end, have to be sent for the first time or again.
  bool unsent() const { return next_ != written_ || (ended_ && !end_sent_); }
  // Copies as many octets as there is room for, and returns how many.
  std::size_t put(std::span<const ByteView> pieces);
  // Ends the outgoing stream. `deaf`: no more octets are accepted either.
  void end(bool deaf);
  // Schedules the first unacknowledged datagram again; the others follow when the peer reports what it lacks.
  // If everything is acknowledged, asks the peer whether it has something to send.
  void repeat();

  // A datagram to send. The views stay valid until a function other than next() is called.
  struct Outgoing {
    Datagram::Head head;
    ByteView first, second;  // octets of the stream; `second` may be empty
    std::size_t size() const { return head.size() + first.size() + second.size(); }
  };
  // The next datagram; false if there is none for now.
  bool next(Outgoing& datagram);

  // The part of a datagram's body that continues the stream.
  struct Incoming {
    std::size_t skip = 0, count = 0;
  };
  // Takes a data datagram with the connection's token. Afterwards next() may have something to send.
  Incoming receive(const Datagram& datagram, std::size_t body_bytes);
  // The peer has ended its stream and everything has arrived.
  bool peer_ended() const { return peer_ended_; }
  // The peer accepts no more octets.
  bool peer_deaf() const { return peer_deaf_; }

 private:
  // Limit of datagrams in flight. Short ones count in full; a socket's usual buffer holds this number.
  static constexpr unsigned most_in_flight = 64;

  std::size_t put_octets(Outgoing& datagram);
  bool wants_answer(std::size_t count, bool last);
  void take_acknowledgement(const Datagram& datagram);
  void go_back();

  const std::uint64_t token_;
  const std::size_t datagram_bytes_;
  std::vector<std::uint8_t> ring_;  // the size is a power of two
  // Positions in the outgoing stream, in this order: acknowledged_, next_, written_.
  std::uint32_t acknowledged_ = 0, next_ = 0, written_ = 0;
  unsigned in_flight_ = 0, limit_ = most_in_flight / 4;
  bool ended_ = false, deaf_ = false, end_sent_ = false;
  std::uint32_t expected_ = 0;  // next position in the incoming stream
  bool gap_told_ = false;       // the gap at expected_ was reported
  std::uint8_t due_ = 0;        // flags for the next datagram
  bool answer_due_ = false;
  bool peer_ended_ = false, peer_deaf_ = false;
};

}  // namespace takt::transport
