#include "transport/batch/write_batch.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "transport/batch/batch_guard.h"

namespace takt::transport {

[[gnu::cold]] void WriteBatch::close_while_written(Turn found) {
  if (found == Turn::user) return;
  const std::lock_guard lock(writing_);
  turn_.store(Turn::user, std::memory_order_relaxed);
  note_change();
}

bool WriteBatch::takes(std::size_t bytes) {
  const auto now = Clock::now();
  if (now - std::exchange(last_at_, now) > longest_.get()) {
    not_held_ = after_pause_;
    after_pause_ = std::min(2 * after_pause_, most_after_pause);
  }
  if (not_held_ != 0) {
    --not_held_;
    return false;
  }
  after_pause_ = first_after_pause;
  if (bytes > most_message_bytes) return false;
  if (!empty()) return true;
  clear();
  since_ = now;
  used_.store(true);  // before the guard's sleep is looked at
  if (!guard_.sleeps() || guard_.wake()) [[likely]]
    return true;
  used_.store(false);
  return false;
}

void WriteBatch::add(std::span<const ByteView> pieces) {
  for (const ByteView piece : pieces) octets_.insert(octets_.end(), piece.begin(), piece.end());
  added_bytes_ = octets_.size();
  turn_.store(Turn::any, std::memory_order_release);
}

bool WriteBatch::overdue() {
  if (empty()) return false;
  if (Clock::now() - since_ > longest_.get()) return true;
  turn_.store(Turn::any, std::memory_order_release);
  return false;
}

void WriteBatch::clear() {
  octets_.clear();
  written_ = added_bytes_ = 0;
  used_.store(false, std::memory_order_relaxed);
}

bool WriteBatch::look() noexcept {
  const std::lock_guard lock(writing_);
  if (is_over()) return false;
  const std::uint32_t changes = changes_.load(std::memory_order_relaxed);
  const bool changed = std::exchange(seen_changes_, changes) != changes;
  const bool used = is_used();
  if (!std::exchange(seen_used_, used) || !used || changed) return used || changed;
  auto expected = Turn::any;
  if (!turn_.compare_exchange_strong(expected, Turn::guard, std::memory_order_acquire)) return true;
  write();
  if (empty() || failed_) used_.store(false);
  turn_.store(Turn::any, std::memory_order_release);
  return true;
}

// A blocking stream gets no more octets at a time than it takes without waiting.
void WriteBatch::write() {
  while (!empty() && !failed_) {
    if (blocking_ && !stream_.has_room_for_small_write()) return;
    const ByteView next = blocking_ ? held().first(std::min(held().size(), Stream::few_octets)) : held();
    const IoResult result = stream_.write(next);
    if (result.status == IoStatus::would_block) return;
    failed_ = result.status != IoStatus::ok;
    if (!failed_) written_ += result.bytes;
  }
}

void WriteBatch::end() noexcept {
  const std::lock_guard lock(writing_);
  over_.store(true, std::memory_order_relaxed);
}

}  // namespace takt::transport
