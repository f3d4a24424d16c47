// A stream of octets each way, in datagrams that may be lost, doubled or overtake each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/udp/datagram.h"
#include "transport/udp/udp_options.h"

namespace takt::transport {

// One end of a connection, without a socket or a clock: what it is told came from the peer, or from somebody
// who knows the connection's token. Octets are taken once and in order, so that nothing that comes again is
// delivered again; one that is ahead of its turn is dropped, and asked for again once.
//
// Who waits, repeats: an end that has sent and only listens does nothing of its own accord, and answers what
// comes again with what the peer lacks.
class DatagramFlow {
 public:
  DatagramFlow(std::uint64_t token, const DatagramLimits& limits);

  // How many octets put() takes: it keeps them until they are acknowledged.
  std::size_t room() const { return ring_.size() - (written_ - acknowledged_); }
  bool acknowledged() const { return written_ == acknowledged_; }
  // Octets, or the end, that no datagram has carried yet, or that are to be sent again.
  bool unsent() const { return next_ != written_ || (ended_ && !end_sent_); }
  // As many of them as there is room for, and how many. Copies.
  std::size_t put(std::span<const ByteView> pieces);
  // Nothing follows what was put; `deaf`: nor is anything taken any more.
  void end(bool deaf);
  // The first datagram that is not acknowledged goes again, the others when the peer has said what it lacks;
  // if all is, the peer is asked whether it has something.
  void repeat();

  // A datagram to send. Its octets stay where they are while nothing but next() is called.
  struct Outgoing {
    Datagram::Head head;
    ByteView first, second;  // its octets; `second` may be empty
    std::size_t size() const { return head.size() + first.size() + second.size(); }
  };
  // The next one; false: none for now.
  bool next(Outgoing& datagram);

  // How many octets of a datagram's body, from `skip` on, come next in the stream.
  struct Incoming {
    std::size_t skip = 0, count = 0;
  };
  // One of kind data that has the connection's token. Afterwards there may be something to send.
  Incoming receive(const Datagram& datagram, std::size_t body_bytes);
  // All that it has sent has come, and there is no more.
  bool peer_ended() const { return peer_ended_; }
  // It takes nothing any more.
  bool peer_deaf() const { return peer_deaf_; }

 private:
  // Datagrams in flight: as many as a socket's usual buffer takes, however short they are.
  static constexpr unsigned most_in_flight = 64;

  std::size_t put_octets(Outgoing& datagram);
  bool wants_answer(std::size_t count, bool last);
  void take_acknowledgement(const Datagram& datagram);
  void go_back();

  const std::uint64_t token_;
  const std::size_t datagram_bytes_;
  std::vector<std::uint8_t> ring_;  // a power of two long
  // Positions in the stream that goes out: acknowledged_, next_ and written_ in this order.
  std::uint32_t acknowledged_ = 0, next_ = 0, written_ = 0;
  unsigned in_flight_ = 0, limit_ = most_in_flight / 4;
  bool ended_ = false, deaf_ = false, end_sent_ = false;
  std::uint32_t expected_ = 0;  // of the stream that comes in
  bool gap_told_ = false;       // that the octet there is missing
  std::uint8_t due_ = 0;        // flags of the next datagram
  bool answer_due_ = false;
  bool peer_ended_ = false, peer_deaf_ = false;
};

}  // namespace takt::transport
