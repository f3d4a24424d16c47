#include "uring/uring_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "uring/uring_reactor.h"

namespace takt::uring {

using transport::IoResult;
using transport::IoStatus;

namespace {

constexpr IoResult would_block{0, IoStatus::would_block, 0};

}  // namespace

UringStream::UringStream(std::unique_ptr<transport::Stream> socket, UringReactor& reactor)
    : WrappedStream(std::move(socket), static_cast<transport::Deferring&>(*this)), reactor_(&reactor) {
  arrived_.reserve(most_arrived);
}

UringStream::~UringStream() {
  if (reactor_) reactor_->forget(*this);
}

IoResult UringStream::take(MutableBytes into) {
  Arrived& first = arrived_[taken_];
  const std::size_t count = std::min(into.size(), first.to - first.from);
  std::memcpy(into.data(), reactor_->ring()->buffer(first.buffer) + first.from, count);
  first.from += count;
  if (first.from == first.to) {
    reactor_->ring()->give_back(first.buffer);
    if (++taken_ == arrived_.size()) {
      arrived_.clear();
      taken_ = 0;
    }
  }
  note_held();
  return {count, IoStatus::ok, 0};
}

[[gnu::cold]] IoResult UringStream::take_left(MutableBytes into) {
  const std::size_t count = std::min(into.size(), left_.size() - left_from_);
  std::memcpy(into.data(), left_.data() + left_from_, count);
  left_from_ += count;
  if (left_from_ == left_.size()) {
    left_ = std::vector<std::uint8_t>();
    left_from_ = 0;
  }
  note_held();
  return {count, IoStatus::ok, 0};
}

template <class Read>
IoResult UringStream::read_directly(Read&& read) {
  const IoResult result = read();
  if (result.status == IoStatus::ok && result.bytes < short_read && direct_reads_ != 0) --direct_reads_;
  return result;
}

IoResult UringStream::read(MutableBytes into) {
  if (into.empty()) return {0, IoStatus::failed, EINVAL};
  if (taken_ < arrived_.size()) [[likely]]
    return take(into);
  if (!left_.empty()) return take_left(into);
  if (end_) return *end_;
  if (receives_ && !blocking_) {
    if (into.size() < Ring::buffer_bytes) return would_block;
    reactor_->collect();  // octets in the ring go before those in the socket
    if (taken_ < arrived_.size()) return take(into);
    if (end_) return *end_;
  }
  return read_directly([&] { return inner_->read(into); });
}

bool UringStream::stamp_arrivals() {
  stamps_ = inner_->stamp_arrivals();
  return stamps_;
}

IoResult UringStream::read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
  age = std::chrono::nanoseconds(0);
  if (into.empty() || receives_ || holds_news()) return read(into);
  return read_directly([&] { return inner_->read_stamped(into, age); });
}

// A peer that floods gets no more than a few of the buffers, which all connections share. `arrived_` has room
// for them.
void UringStream::received(unsigned id, std::size_t count) noexcept {
  if (lacks_octets()) return reactor_->ring()->give_back(id);
  if (count == Ring::buffer_bytes) direct_reads_ = direct_reads_after_long;
  holds_octets_ = true;
  if (left_.empty() && arrived_.size() < most_arrived) {
    arrived_.push_back({id, 0, count});
    return;
  }
  try {
    const std::uint8_t* const octets = reactor_->ring()->buffer(id);
    left_.insert(left_.end(), octets, octets + count);
  } catch (const std::bad_alloc&) {
    ended(ENOMEM);
  }
  reactor_->ring()->give_back(id);
}

void UringStream::ended(int error) {
  if (lacks_octets()) return;
  end_ = error == 0 ? IoResult{0, IoStatus::end_of_stream, 0} : IoResult{0, IoStatus::failed, error};
}

bool UringStream::wants_buffers() const {
  return direct_reads_ == 0 && !stamps_ && !blocking_ && left_.empty() && !end_ &&
         arrived_.size() < most_arrived;
}

// Sends older octets before those of a write. A result: the write cannot be made now. Without deferring, any
// thread.
std::optional<IoResult> UringStream::before_writing() {
  if (defers_) push();
  if (defers_ && reactor_ && reactor_->has_deferred()) return would_block;  // older octets are not sent yet
  if (!holds_rest()) [[likely]]
    return std::nullopt;
  const IoResult result = write_rest();
  return holds_rest() || result.status != IoStatus::ok ? std::optional(result) : std::nullopt;
}

IoResult UringStream::write(ByteView octets) {
  if (defers_ && reactor_ && !blocking_ && !holds_rest() && !octets.empty() &&
      octets.size() <= Ring::send_bytes && reactor_->defer(*this, octets)) [[likely]]
    return {octets.size(), IoStatus::ok, 0};
  if (const auto cannot = before_writing()) return *cannot;
  return inner_->write(octets);
}

IoResult UringStream::write_gather(std::span<const ByteView> pieces) {
  if (const auto cannot = before_writing()) return *cannot;
  return inner_->write_gather(pieces);
}

void UringStream::keep_rest(ByteView octets) noexcept {
  const std::lock_guard lock(rest_mutex_);
  try {
    rest_.assign(octets.begin(), octets.end());
    holds_rest_ = true;
  } catch (const std::bad_alloc&) {
    ended(ENOMEM);
    inner_->shut_down();  // no message may follow one that was cut
  }
}

// ok: no rest is left.
[[gnu::cold]] IoResult UringStream::write_rest() {
  const std::lock_guard lock(rest_mutex_);
  IoResult result{0, IoStatus::ok, 0};
  while (!rest_.empty() && result.status == IoStatus::ok) {
    result = inner_->write(rest_);
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(result.bytes));
  }
  if (result.status == IoStatus::failed) rest_.clear();
  holds_rest_ = !rest_.empty();
  return result;
}

bool UringStream::send_rest() {
  const IoResult result = write_rest();
  if (result.status == IoStatus::failed) ended(result.error);
  return result.status == IoStatus::ok;
}

void UringStream::set_blocking(bool blocking) {
  if (defers_) push();
  blocking_ = blocking;
  inner_->set_blocking(blocking);
}

void UringStream::shut_down_writing() {
  if (defers_) push();
  if (holds_rest()) write_rest();
  inner_->shut_down_writing();
}

void UringStream::push() {
  if (reactor_ && reactor_->has_deferred()) reactor_->push();
}

void UringStream::let_defer(bool may) {
  push();
  defers_ = may;
}

void UringStream::leave_ring() noexcept {
  std::size_t count = left_.size() - left_from_;
  for (std::size_t i = taken_; i < arrived_.size(); ++i) count += arrived_[i].to - arrived_[i].from;
  std::vector<std::uint8_t> octets;
  try {
    octets.reserve(count);
  } catch (const std::bad_alloc&) {
    forget_arrived();
    return ended(ENOMEM);
  }
  for (; taken_ < arrived_.size(); ++taken_) {
    const Arrived& one = arrived_[taken_];
    const std::uint8_t* const in_ring = reactor_->ring()->buffer(one.buffer);
    octets.insert(octets.end(), in_ring + one.from, in_ring + one.to);
    reactor_->ring()->give_back(one.buffer);
  }
  octets.insert(octets.end(), left_.begin() + static_cast<std::ptrdiff_t>(left_from_), left_.end());
  forget_arrived();
  left_ = std::move(octets);
  note_held();
}

void UringStream::forget_arrived() {
  for (; taken_ < arrived_.size(); ++taken_) reactor_->ring()->give_back(arrived_[taken_].buffer);
  arrived_.clear();
  taken_ = 0;
  left_ = std::vector<std::uint8_t>();
  left_from_ = 0;
  receives_ = false;
  note_held();
}

void UringStream::detach() {
  if (!arrived_.empty()) leave_ring();
  receives_ = false;
  reactor_ = nullptr;
}

}  // namespace takt::uring
