#include "transport/layered_stream.h"

#include <cerrno>

#include <takt/base/memory_budget.h>

namespace takt::transport {

namespace {

// The total time of a write, as a multiple of its timeout, when the peer takes octets in small portions.
constexpr int sips = 10;

// Limit of reads of the inner stream within one non-blocking read. It keeps a peer whose octets never
// complete a unit from occupying a thread that serves other connections.
constexpr int most_reads = 64;

}  // namespace

std::size_t size_of(std::span<const ByteView> pieces) {
  std::size_t size = 0;
  for (const ByteView piece : pieces) size += piece.size();
  return size;
}

LayeredStream::LayeredStream(std::unique_ptr<Stream> inner, const PeerIdentity* peer)
    : Stream({.self_pacing = inner->capabilities().self_pacing,
              .arrival_stamps = this,
              .marking = inner->capabilities().marking,
              .peer = peer ? peer : inner->capabilities().peer}),
      inner_(std::move(inner)) {}

LayeredStream::LayeredStream(std::unique_ptr<Stream> inner) : LayeredStream(std::move(inner), nullptr) {}

IoResult LayeredStream::read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
  age = std::chrono::nanoseconds(0);
  return read_with(into, &age);
}

IoResult LayeredStream::read_with(MutableBytes into, std::chrono::nanoseconds* age) {
  if (into.empty()) return {0, IoStatus::failed, EINVAL};
  if (holds_octets())
    if (const auto result = converted(into)) return *result;
  std::optional<Clock::time_point> until;
  for (int reads = 1;; ++reads) {
    const MutableBytes space = input_space();
    const IoResult arrived = age ? inner_->read_stamped(space, *age) : inner_->read(space);
    if (arrived.status != IoStatus::ok) return arrived;
    input_arrived(arrived.bytes);
    if (const auto result = converted(into)) return *result;
    if (!blocking_ && reads >= most_reads && !inner_->holds_octets()) return {0, IoStatus::would_block, 0};
    if (patience_.count() == 0) continue;
    const auto now = Clock::now();
    if (!until) until = now + patience_;
    if (now < *until) continue;
    if (shut_down_on_timeout_) inner_->shut_down_reading();
    return {0, IoStatus::timed_out, 0};
  }
}

IoResult LayeredStream::send_kept() {
  std::optional<Clock::time_point> until;
  while (kept_from_ < kept_.size()) {
    const IoResult result = inner_->write(ByteView(kept_).subspan(kept_from_));
    if (result.status != IoStatus::ok) return result;
    kept_from_ += result.bytes;
    const auto patience = write_timeout_.get();
    if (kept_from_ == kept_.size() || patience.count() == 0) continue;
    const auto now = Clock::now();
    if (!until) until = now + sips * patience;
    if (now >= *until) return {0, IoStatus::timed_out, 0};
  }
  if (kept_.capacity() > MemoryBudget::uncounted_bytes) kept_ = std::vector<std::uint8_t>();
  kept_.clear();
  kept_from_ = 0;
  return {0, IoStatus::ok, 0};
}

IoResult LayeredStream::written(std::size_t done, const IoResult& sent) {
  if (sent.status == IoStatus::ok) return {done, IoStatus::ok, 0};
  if (sent.status == IoStatus::failed) return sent;
  withholds_last_octet_ = true;
  return done > 1 ? IoResult{done - 1, IoStatus::ok, 0} : sent;
}

void LayeredStream::set_blocking(bool blocking) {
  blocking_ = blocking;
  inner_->set_blocking(blocking);
}

bool LayeredStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  patience_ = read;
  shut_down_on_timeout_ = false;
  write_timeout_ = write;
  return inner_->set_timeouts(read, write);
}

bool LayeredStream::set_silence_limit(std::chrono::nanoseconds silence) {
  patience_ = silence;
  shut_down_on_timeout_ = true;
  return inner_->set_silence_limit(silence);
}

}  // namespace takt::transport
