#include <takt/cdr/body_window.h>
#include <takt/cdr/message_costs.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/invariant.h"

namespace takt::cdr {

namespace {

// Octets of a stream that are read ahead, so that small values do not each cost a read.
constexpr std::size_t ahead_bytes = 4096;
// Memory for octets of a stream grows in steps: at first this much, then as much again as has arrived.
constexpr std::size_t first_step_bytes = 64 * 1024;

std::unique_ptr<std::uint8_t[]> memory_of(std::size_t size, ByteView first) {
  auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  if (!first.empty()) std::memcpy(memory.get(), first.data(), first.size());
  return memory;
}

// Charges joined octets to the message.
struct Charged {
  JoinedMemory memory;

  bool take(std::size_t bytes) const {
    if (memory.costs.charge(bytes, memory.budget)) return true;
    give_back(bytes);
    return false;
  }
  void give_back(std::size_t bytes) const { memory.costs.uncharge(bytes); }
  void keep(std::size_t bytes) const { memory.costs.joined(bytes); }
};

struct Uncharged {
  static bool take(std::size_t) { return true; }
  static void give_back(std::size_t) {}
  static void keep(std::size_t) {}
};

}  // namespace

BodyWindow::BodyWindow(const BodyWindow& other)
    : cursor_(other.cursor_),
      index_of_null_(other.index_of_null_),
      end_(other.end_),
      to_come_(other.to_come_),
      limit_(other.limit_),
      block_end_(other.block_end_),
      source_(other.source_) {
  if (in_parts()) return;
  limit_ = limit_ > to_come_ ? limit_ - to_come_ : 0;
  to_come_ = 0;
  source_ = nullptr;
  show();
}

void BodyWindow::set_source(BodySource* source, std::size_t missing) {
  source_ = source;
  to_come_ = missing;
  show();
}

bool BodyWindow::in_parts() const { return source_ && source_->octets_in_parts() != 0; }

std::size_t BodyWindow::arrived() const {
  return in_parts() ? source_->octets_in_parts()
                    : position() + static_cast<std::size_t>(block_end_ - cursor_);
}

void BodyWindow::show() {
  check_invariant(cursor_ <= block_end_ && limit_ <= remaining() && (to_come_ == 0 || source_));
  end_ = block_end_ - (limit_ > to_come_ ? limit_ - to_come_ : 0);
  check_invariant(cursor_ <= end_ && end_ <= block_end_);
}

void BodyWindow::set_block(ByteView octets, std::size_t first_index) {
  cursor_ = octets.data();
  block_end_ = cursor_ + octets.size();
  index_of_null_ = first_index - reinterpret_cast<std::uintptr_t>(cursor_);
  show();
}

void BodyWindow::set_limit(std::size_t count) {
  limit_ = remaining() - count;
  show();
}

void BodyWindow::lift_limit() {
  limit_ = 0;
  show();
}

void BodyWindow::drop_rest() {
  block_end_ = cursor_;
  to_come_ = limit_ = 0;
  show();
}

// The source has handed the next octets out directly.
void BodyWindow::taken_by_source(std::size_t count) {
  check_invariant(present() == 0 && count <= readable());
  to_come_ -= count;
  index_of_null_ += count;
  show();
}

// Skips the rest of this part.
void BodyWindow::enter_part() {
  check_invariant(readable() > present());
  const BodySource::Part part = source_->part(to_come_);
  check_invariant(!part.octets.empty() && part.octets.size() <= to_come_);
  to_come_ -= part.octets.size();
  set_block(part.octets, part.first_index);
}

// Makes all octets to come the block, if the source has them in memory.
void BodyWindow::enter_memory() {
  const ByteView octets = present() == 0 ? source_->in_memory() : ByteView();
  if (octets.size() != to_come_) return;
  to_come_ = 0;
  set_block(octets, position());
}

// Whether the octets are present in one piece, perhaps in the next part, or in the source's memory.
bool BodyWindow::enter_whole(std::size_t count) {
  if (count <= present()) return true;
  if (!in_parts())
    enter_memory();
  else if (present() == 0)
    enter_part();
  return count <= present();
}

BodyRead BodyWindow::gather(std::size_t count, JoinedMemory memory) {
  if (count > readable()) return BodyRead::ends;
  if (enter_whole(count)) return BodyRead::ok;
  if (!in_parts()) return join_stream(count, Charged{memory});
  if (!Charged{memory}.take(count)) return BodyRead::no_memory;
  const BodyRead joined = join_parts(count);
  memory.costs.joined(count);
  return joined;
}

// For no more than `ahead_bytes`, which are not charged.
BodyRead BodyWindow::gather_few(std::size_t count) {
  if (count > readable()) return BodyRead::ends;
  if (enter_whole(count)) return BodyRead::ok;
  return in_parts() ? join_parts(count) : join_stream(count, Uncharged());
}

// The octets after the joined ones keep the indices of their part.
BodyRead BodyWindow::join_parts(std::size_t count) {
  auto joined = std::make_unique_for_overwrite<std::uint8_t[]>(count);
  for (std::size_t done = 0;;) {
    const std::size_t taken = std::min(present(), count - done);
    std::memcpy(joined.get() + done, cursor_, taken);
    cursor_ += taken;
    done += taken;
    if (done == count) break;
    enter_part();
  }
  const std::size_t first_index = position() - count;
  to_come_ += static_cast<std::size_t>(block_end_ - cursor_);
  joined_ = std::move(joined);
  set_block({joined_.get(), count}, first_index);
  return BodyRead::ok;
}

// Both blocks are charged while one is copied to the other.
template <class Charge>
BodyRead BodyWindow::join_stream(std::size_t count, Charge charge) {
  const std::size_t here = present();
  const std::size_t total = here + std::min(to_come_, std::max(count - here, ahead_bytes));
  std::size_t size = std::min(total, std::max(first_step_bytes, 2 * here));
  if (!charge.take(size)) return BodyRead::no_memory;
  auto joined = memory_of(size, {cursor_, here});
  for (std::size_t have = here;;) {
    if (!source_->read_exact({joined.get() + have, size - have})) return BodyRead::failed;
    have = size;
    if (have == total) break;
    size = std::min(total, 2 * have);
    if (!charge.take(size)) return BodyRead::no_memory;
    joined = memory_of(size, {joined.get(), have});
    charge.give_back(have);
  }
  const std::size_t first_index = position();
  to_come_ -= total - here;
  joined_ = std::move(joined);
  charge.keep(total);
  set_block({joined_.get(), total}, first_index);
  return BodyRead::ok;
}

BodyRead BodyWindow::align(std::size_t to) {
  for (;;) {
    const std::size_t padding = (0 - position()) & (to - 1);
    if (!in_parts() || padding <= present() || present() == readable()) return skip(padding);
    enter_part();
  }
}

BodyRead BodyWindow::gather_number(std::size_t size) {
  for (;;) {
    if (const BodyRead aligned = align(size); aligned != BodyRead::ok) return aligned;
    if (!in_parts() || present() != 0 || readable() == 0) return gather_few(size);
    enter_part();
  }
}

BodyRead BodyWindow::copy(MutableBytes into) {
  if (into.size() > readable()) return BodyRead::ends;
  for (;;) {
    const std::size_t taken = std::min(present(), into.size());
    if (taken) std::memcpy(into.data(), cursor_, taken);
    cursor_ += taken;
    into = into.subspan(taken);
    if (into.empty()) return BodyRead::ok;
    if (!in_parts()) break;
    enter_part();
  }
  if (!source_->read_exact(into)) return BodyRead::failed;
  taken_by_source(into.size());
  return BodyRead::ok;
}

BodyRead BodyWindow::skip(std::size_t count) {
  if (count > readable()) return BodyRead::ends;
  while (count > present()) {
    count -= present();
    cursor_ = end_;
    if (in_parts())
      enter_part();
    else if (const BodyRead read = gather_few(std::min(count, ahead_bytes)); read != BodyRead::ok)
      return read;
  }
  cursor_ += count;
  return BodyRead::ok;
}

bool BodyWindow::lie_apart(std::size_t count) const {
  return block_end_ == cursor_ && count != 0 && count <= readable() && !in_parts();
}

bool BodyWindow::take_vector(std::vector<std::uint8_t>& into, std::size_t count) {
  if (!lie_apart(count) || !source_->take_vector(into, count)) return false;
  taken_by_source(count);
  return true;
}

HeldOctets BodyWindow::take_in_place(std::size_t count) {
  if (!lie_apart(count)) return {};
  HeldOctets held = source_->read_in_place(count);
  if (!held.empty()) taken_by_source(count);
  return held;
}

}  // namespace takt::cdr
