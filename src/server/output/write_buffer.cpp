#include "server/output/write_buffer.h"

#include <algorithm>

#include "giop/close.h"
#include "giop/copying.h"
#include "transport/batch/write_batch.h"
#include "transport/message_writer.h"

namespace takt::server {

using transport::IoResult;
using transport::IoStatus;

namespace {

// For a message that the memory budget has no room for. A peer that reads can make up for a few lost packets.
constexpr std::chrono::nanoseconds uncounted_patience = std::chrono::seconds(1);

std::size_t size_of(std::span<const ByteView> pieces) {
  std::size_t bytes = 0;
  for (const ByteView piece : pieces) bytes += piece.size();
  return bytes;
}

}  // namespace

[[gnu::cold, gnu::noinline]] std::unique_lock<os::PriorityMutex> WriteBuffer::exclusive() const {
  return shared_ ? std::unique_lock(shared_->mutex) : std::unique_lock<os::PriorityMutex>();
}

bool WriteBuffer::send_rest(GatherBuffer& message, const IoResult& sent) {
  if (sent.status != IoStatus::ok && sent.status != IoStatus::would_block) return false;
  pieces_.assign(1, ByteView(message.owned(), message.size()).subspan(sent.bytes));
  return send_pieces();
}

void WriteBuffer::compress(const giop::compression::CompressionSettings& settings,
                           std::uint16_t own_expansion, const giop::compression::MethodList& methods,
                           giop::compression::Wanted wanted) {
  const auto lock = exclusive();
  if (compressor_) return;
  compressor_ = std::make_unique<giop::compression::Compressor>(settings, own_expansion, methods);
  compressor_->agree(wanted);
  compressor_->announce();
  note_untouched();
}

void WriteBuffer::note_untouched() {
  if (shared_ && untouched_bytes_ == 0) return;  // the connection's own thread may read it without the lock
  if (shared_ || batch_)
    untouched_bytes_ = 0;
  else if (compressor_)
    untouched_bytes_ = untouched(compressor_->untouched_bytes());
  else
    untouched_bytes_ = untouched(fragment_bytes_ != 0 ? fragment_bytes_ : SIZE_MAX);
}

WriteBuffer::~WriteBuffer() {
  if (batch_) batch_->end();
}

[[gnu::cold]] void WriteBuffer::count_blocked_messages() {
  counts_blocked_ = true;
  note_untouched();
}

// The next message notices that the connection is lost.
void WriteBuffer::share(SharedWriting& by) {
  static_cast<void>(write_batch());
  use_batch(nullptr);
  shared_ = &by;
  note_untouched();
}

void WriteBuffer::use_batch(std::shared_ptr<transport::WriteBatch> batch) {
  if (batch_) batch_->end();
  batch_ = std::move(batch);
  note_untouched();
}

void WriteBuffer::gather() {
  batch_->begin();
  gathers_ = true;
}

// Messages that are not held leave together with those that are.
bool WriteBuffer::send_gathering(GatherBuffer& message) {
  batch_->close();
  make_pieces(message);
  bool going_on = !(cut_ |= batch_->failed());
  if (going_on && !waiting() && batch_->takes(size_of(pieces_))) {
    batch_->add(pieces_);
    if (batch_->due()) going_on = write_gathered();
  } else if (going_on) {
    if (!batch_->empty()) pieces_.insert(pieces_.begin(), batch_->held());
    going_on = send_pieces();
    batch_->clear();
  }
  message.clear();
  return going_on;
}

bool WriteBuffer::write_gathered() {
  batch_->close();
  cut_ |= batch_->failed();
  if (cut_ || batch_->empty()) return !cut_;
  pieces_.assign(1, batch_->held());
  const bool going_on = send_pieces();
  batch_->clear();
  return going_on;
}

bool WriteBuffer::write_if_overdue() {
  batch_->close();
  return !batch_->overdue() || write_gathered();
}

bool WriteBuffer::end_gathering() {
  gathers_ = false;
  return write_gathered();
}

[[gnu::noinline]] bool WriteBuffer::send_in_pieces(GatherBuffer& message) {
  if (gathers_) return send_gathering(message);
  return shared_ ? shared_->send(message) : send_locked(message);
}

void WriteBuffer::make_pieces(GatherBuffer& message) {
  if (!message.contiguous()) giop::align_for_copying(message);
  const GatherBuffer& sent = compressor_ ? compressor_->pack(message) : message;
  if (compressor_) note_untouched();
  pieces_.clear();
  giop::fragment(sent, fragment_bytes_, pieces_, fragment_headers_);
}

bool WriteBuffer::send_locked(GatherBuffer& message) {
  make_pieces(message);
  const bool going_on = send_pieces();
  message.clear();
  return going_on;
}

bool WriteBuffer::send_pieces() {
  if (counts_blocked_) return send_counted();
  std::span<ByteView> left(pieces_);
  if (!waiting()) write_pieces(left, patience_);
  return !cut_ && (left.empty() || keep(left));
}

// The stream keeps blocking, because the connection's own thread may be reading while another one sends.
[[gnu::cold, gnu::noinline]] bool WriteBuffer::send_counted() {
  std::size_t counted = size_of(pieces_);
  if (!unsent_memory_.could_resize(counted)) {
    do counted /= 2;
    while (!unsent_memory_.could_resize(2 * counted));
  }
  const std::chrono::nanoseconds usual = patience_;
  std::chrono::nanoseconds patience = usual;
  const bool fits = unsent_memory_.resize(counted);
  if (!fits) stream_.set_write_timeout(patience = std::min(usual, uncounted_patience));
  std::span<ByteView> left(pieces_);
  const IoStatus last = write_pieces(left, patience);
  if (!fits) stream_.set_write_timeout(usual);
  unsent_memory_.shrink(0);
  cut_ = !left.empty();
  out_of_memory_ |= !fits && cut_ && last != IoStatus::failed;
  return !cut_;
}

// If the stream has not taken all, something is left, and the result says why. Nothing may follow a message
// that was cut.
[[gnu::noinline]] IoStatus WriteBuffer::write_pieces(std::span<ByteView>& left,
                                                     std::chrono::nanoseconds patience) {
  IoStatus last = IoStatus::failed;
  if (cut_) return last;
  std::optional<Clock::time_point> until;
  transport::write_message(stream_, left, [&](const IoResult& result) {
    last = result.status;
    if (last == IoStatus::would_block) return false;
    const auto now = Clock::now();
    if (!until) until = now + transport::silences_per_message * patience;
    cut_ = last != IoStatus::ok || now > *until;
    return !cut_;
  });
  return last;
}

// Appends to the kept octets. False: there is no memory for it, and the connection is over.
bool WriteBuffer::keep(std::span<const ByteView> pieces) {
  if (!waiting()) unsent_since_ = taken_at_ = Clock::now();
  const std::size_t more = size_of(pieces);
  if (unsent_.capacity() - unsent_.size() < more) {
    if (unsent_from_ >= unsent_.size() / 2) {
      unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(unsent_from_));
      unsent_from_ = 0;
    }
    const std::size_t wanted = std::max(unsent_.size() + more, 2 * unsent_.size());
    out_of_memory_ = !unsent_memory_.resize(unsent_.capacity() + wanted);
    if (out_of_memory_) return !(cut_ = true);
    unsent_.reserve(wanted);
    unsent_memory_.shrink(unsent_.capacity());
  }
  for (const ByteView piece : pieces) unsent_.insert(unsent_.end(), piece.begin(), piece.end());
  keeps_.store(!unsent_.empty(), std::memory_order_relaxed);
  return true;
}

IoStatus WriteBuffer::write_some() {
  const IoResult result = stream_.write(ByteView(unsent_).subspan(unsent_from_));
  if (result.status != IoStatus::ok) return result.status;
  taken_at_ = Clock::now();
  unsent_from_ += result.bytes;
  if (unsent_from_ == unsent_.size()) {
    unsent_ = std::vector<std::uint8_t>();
    keeps_.store(false, std::memory_order_relaxed);
    unsent_memory_.shrink(0);
    unsent_from_ = 0;
  }
  return IoStatus::ok;
}

WriteBuffer::Flushed WriteBuffer::flush() {
  const auto lock = exclusive();
  return flush_locked();
}

WriteBuffer::Flushed WriteBuffer::flush_locked() {
  while (waiting())
    if (const IoStatus status = write_some(); status != IoStatus::ok)
      return status == IoStatus::would_block ? Flushed::some : Flushed::failed;
  return Flushed::all;
}

// False: the connection is over.
bool WriteBuffer::begin_to_end(ByteView last) {
  if (!write_batch() || cut_) return false;
  return keep({&last, 1}) && flush_locked() != Flushed::failed;
}

bool WriteBuffer::close(giop::Version version) {
  const auto lock = exclusive();
  return begin_to_end(giop::close_connection(version));
}

void WriteBuffer::end_with(ByteView last, Clock::time_point until) {
  const auto lock = exclusive();
  if (!begin_to_end(last) || !waiting()) return;
  stream_.set_blocking(true);
  while (waiting()) {
    const auto left = until - Clock::now();
    if (left <= left.zero() || !stream_.set_write_timeout(left) || write_some() != IoStatus::ok) return;
  }
}

bool WriteBuffer::overdue(Clock::time_point now) const {
  const auto lock = exclusive();
  return overdue_locked(now);
}

bool WriteBuffer::overdue_locked(Clock::time_point now) const {
  const std::chrono::nanoseconds patience = patience_;
  return waiting() &&
         (now - taken_at_ > patience || now - unsent_since_ > transport::silences_per_message * patience);
}

}  // namespace takt::server
