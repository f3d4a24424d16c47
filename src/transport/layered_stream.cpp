#include "transport/layered_stream.h"

#include <cerrno>

#include <takt/base/memory_budget.h>

namespace takt::transport {

namespace {

// Limit of reads of the inner stream within one non-blocking read. It keeps a peer whose octets never
// complete a unit from occupying a thread that serves other connections.
constexpr int most_reads = 64;

}  // namespace

std::size_t size_of(std::span<const ByteView> pieces) {
  std::size_t size = 0;
  for (const ByteView piece : pieces) size += piece.size();
  return size;
}

LayeredStream::LayeredStream(std::unique_ptr<Stream> inner, const PeerIdentity* peer,
                             const MessageAssembly* messages)
    : Stream({.self_pacing = inner->capabilities().self_pacing,
              .arrival_stamps = this,
              .marking = inner->capabilities().marking,
              .peer = peer ? peer : inner->capabilities().peer,
              .messages = messages ? messages : inner->capabilities().messages}),
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

std::optional<IoResult> LayeredStream::begin_write(std::size_t size) {
  const auto patience = write_timeout_.get();
  write_ends_ = patience.count() == 0 || !blocking_ ? Clock::time_point::max() : Clock::now() + patience;
  if (!keeps() && withheld_ == 0) return std::nullopt;
  const IoResult sent = send_kept();
  if (withheld_ == 0 && sent.status == IoStatus::ok) return std::nullopt;
  return moved(size, sent);
}

IoResult LayeredStream::send_kept() {
  while (kept_from_ < kept_.size()) {
    const IoResult result = inner_->write(ByteView(kept_).subspan(kept_from_));
    if (result.status != IoStatus::ok) return result;
    kept_from_ += result.bytes;
    if (kept_from_ < kept_.size() && write_ends_ != Clock::time_point::max() && Clock::now() >= write_ends_)
      return {0, IoStatus::timed_out, 0};
  }
  if (kept_.capacity() > MemoryBudget::uncounted_bytes) kept_ = std::vector<std::uint8_t>();
  kept_.clear();
  kept_from_ = 0;
  return {0, IoStatus::ok, 0};
}

// The caller must learn that some octets cannot be taken back, so at least one counts as moved.
IoResult LayeredStream::written(std::size_t done, const IoResult& sent) {
  if (sent.status == IoStatus::ok) return {done, IoStatus::ok, 0};
  withheld_ = done;
  kept_then_ = kept_.size();
  const IoResult result = moved(done, sent);
  if (result.bytes != 0 || withheld_ <= 1 || sent.status == IoStatus::failed) return result;
  --withheld_;
  return {1, IoStatus::ok, 0};
}

// The result of a write of `size` octets that begins with the withheld ones. Until all kept octets have been
// sent, at least one stays withheld: all others where the caller must wait for room, and else in proportion
// to what the peer has taken.
IoResult LayeredStream::moved(std::size_t size, const IoResult& sent) {
  if (sent.status == IoStatus::failed) return sent;
  std::size_t stay = 0;
  if (sent.status != IoStatus::ok) {
    const std::size_t left = kept_.size() - kept_from_;
    const bool in_proportion = sent.status == IoStatus::timed_out && kept_then_ != 0;
    stay = in_proportion ? std::min(withheld_, withheld_ * left / kept_then_) : 1;
    stay = std::max<std::size_t>(stay, 1);
    kept_then_ = left;
  }
  const std::size_t count = std::min(size, withheld_ - std::min(withheld_, stay));
  withheld_ -= count;
  return count == 0 ? sent : IoResult{count, IoStatus::ok, 0};
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

bool LayeredStream::set_write_timeout(std::chrono::nanoseconds write) {
  write_timeout_ = write;
  return inner_->set_write_timeout(write);
}

bool LayeredStream::set_silence_limit(std::chrono::nanoseconds silence) {
  patience_ = silence;
  shut_down_on_timeout_ = true;
  return inner_->set_silence_limit(silence);
}

}  // namespace takt::transport
