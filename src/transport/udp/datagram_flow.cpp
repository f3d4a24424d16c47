#include "transport/udp/datagram_flow.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace takt::transport {

DatagramFlow::DatagramFlow(std::uint64_t token, const DatagramLimits& limits)
    : token_(token),
      datagram_bytes_(limits.datagram_bytes),
      ring_(std::bit_ceil(std::max(limits.window_bytes, limits.datagram_bytes))) {}

std::size_t DatagramFlow::put(std::span<const ByteView> pieces) {
  std::size_t done = 0;
  for (const ByteView piece : pieces) {
    const std::size_t count = std::min(piece.size(), room());
    const std::size_t at = written_ & (ring_.size() - 1);
    const std::size_t first = std::min(count, ring_.size() - at);
    std::copy_n(piece.begin(), first, ring_.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(first), count - first, ring_.begin());
    written_ += static_cast<std::uint32_t>(count);
    done += count;
  }
  return done;
}

void DatagramFlow::end(bool deaf) {
  end_sent_ &= ended_ && (deaf_ || !deaf);
  ended_ = true;
  deaf_ |= deaf;
}

void DatagramFlow::repeat() {
  if (!acknowledged()) limit_ = 1;
  go_back();
  due_ |= Datagram::again;
  answer_due_ = true;
}

void DatagramFlow::go_back() {
  next_ = acknowledged_;
  in_flight_ = 0;
  end_sent_ = false;
}

std::size_t DatagramFlow::put_octets(Outgoing& datagram) {
  if (in_flight_ >= limit_) return 0;
  const std::size_t count = std::min<std::size_t>(written_ - next_, datagram_bytes_);
  const std::size_t at = next_ & (ring_.size() - 1);
  const std::size_t first = std::min(count, ring_.size() - at);
  datagram.first = ByteView(ring_).subspan(at, first);
  datagram.second = ByteView(ring_).first(count - first);
  return count;
}

// The peer may have nothing to send by itself, so an acknowledgement is requested before the window is full,
// and when it is full.
bool DatagramFlow::wants_answer(std::size_t count, bool last) {
  const std::size_t half = ring_.size() / 2, before = next_ - acknowledged_, after = before + count;
  ++in_flight_;
  if (after == ring_.size() || (before <= half && after > half)) return true;
  if (last && in_flight_ == 1) return false;  // the usual case: one message, which the peer answers
  return in_flight_ == (limit_ + 1) / 2 || in_flight_ == limit_;
}

bool DatagramFlow::next(Outgoing& datagram) {
  datagram.first = datagram.second = {};
  const std::size_t count = put_octets(datagram);
  const bool last = next_ + static_cast<std::uint32_t>(count) == written_;
  const bool ends = ended_ && last && (count != 0 || !end_sent_);
  if (count == 0 && !ends && !answer_due_) return false;
  Datagram head{Datagram::Kind::data, std::exchange(due_, std::uint8_t{0}), token_, next_, expected_};
  answer_due_ = false;
  if (count != 0 && wants_answer(count, last)) head.flags |= Datagram::ask;
  next_ += static_cast<std::uint32_t>(count);
  if (ends) {
    head.flags |= deaf_ ? Datagram::end | Datagram::deaf : Datagram::end;
    end_sent_ = true;
  }
  datagram.head = head.encode();
  return true;
}

void DatagramFlow::take_acknowledgement(const Datagram& datagram) {
  const std::uint32_t progress = datagram.acknowledged - acknowledged_;
  if (progress != 0 && progress <= written_ - acknowledged_) {
    const bool past_next = progress > next_ - acknowledged_;
    acknowledged_ += progress;
    if (past_next) next_ = acknowledged_;
    const auto arrived = static_cast<unsigned>((progress + datagram_bytes_ - 1) / datagram_bytes_);
    in_flight_ = next_ == acknowledged_ ? 0 : in_flight_ - std::min(in_flight_, arrived);
    limit_ = std::min(limit_ + arrived, most_in_flight);
  } else if (progress != 0) {
    return;  // overtaken by a later one
  }
  const bool lacks = (datagram.flags & (Datagram::gap | Datagram::again)) != 0;
  if (lacks && (next_ != acknowledged_ || end_sent_)) {
    go_back();
    limit_ = std::max(limit_ / 2, 1U);
  }
}

DatagramFlow::Incoming DatagramFlow::receive(const Datagram& datagram, std::size_t body_bytes) {
  take_acknowledgement(datagram);
  answer_due_ |= (datagram.flags & (Datagram::ask | Datagram::again)) != 0;
  const auto ahead = static_cast<std::int32_t>(datagram.position - expected_);
  if (ahead > 0) {
    if (!std::exchange(gap_told_, true)) {
      due_ |= Datagram::gap;
      answer_due_ = true;
    }
    return {};
  }
  if (peer_ended_ && body_bytes != 0) {
    answer_due_ = true;
    return {};
  }
  const std::size_t known = 0 - static_cast<std::size_t>(std::int64_t{ahead});
  Incoming fresh;
  if (known < body_bytes) {
    fresh = {known, body_bytes - known};
    expected_ += static_cast<std::uint32_t>(fresh.count);
    gap_told_ = false;
  } else if (body_bytes != 0) {
    answer_due_ = true;  // a duplicate: the peer has not received our acknowledgement
  }
  if ((datagram.flags & Datagram::end) != 0 && known <= body_bytes) {
    peer_ended_ = true;
    peer_deaf_ |= (datagram.flags & Datagram::deaf) != 0;
  }
  return fresh;
}

}  // namespace takt::transport
