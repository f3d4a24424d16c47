#include "cdr/body_tail.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace takt::cdr {

namespace {
constexpr std::size_t first_bytes = 64 * 1024;
constexpr std::size_t growth = 4;
constexpr std::size_t most_behind = 64;  // octets that may follow a sequence that is taken
}  // namespace

BodyTail& BodyTail::operator=(BodyTail&& from) noexcept {
  memory_ = std::move(from.memory_);
  octets_ = std::move(from.octets_);
  bytes_ = std::exchange(from.bytes_, 0);
  arrived_ = std::exchange(from.arrived_, 0);
  taken_ = std::exchange(from.taken_, 0);
  trusted_ = std::max(trusted_, from.trusted_);
  std::swap(spare_, from.spare_);
  from.settle();
  return *this;
}

// Keeps the spare block, and its charge, if the budget and the limit allow it.
void BodyTail::settle() {
  if (spare_.capacity() <= most_spare && memory_.resize(octets_.capacity() + spare_.capacity())) return;
  spare_ = std::vector<std::uint8_t>();
  memory_.shrink(octets_.capacity());
}

std::size_t BodyTail::likely_begin(ByteView present, std::size_t body_index, std::size_t message_bytes,
                                   ByteOrder order) {
  for (std::size_t at = (body_index + 3) & ~std::size_t{3}; at + 4 <= present.size(); at += 4) {
    std::uint32_t length;
    std::memcpy(&length, present.data() + at, sizeof length);
    const std::size_t end = at + 4 + (order == native_order ? length : __builtin_bswap32(length));
    if (end <= message_bytes && message_bytes - end <= most_behind) return at + 4;
  }
  return 0;
}

bool BodyTail::begin(ByteView arrived, std::size_t bytes) {
  bytes_ = bytes;
  const std::size_t wanted = std::max(arrived.size() + 1, std::min(trusted_, most_trusted));
  octets_ = std::exchange(spare_, {});
  if (octets_.capacity() < std::min(wanted, bytes)) {
    octets_ = std::vector<std::uint8_t>();
    if (!reserve(wanted)) {
      drop();
      return false;
    }
  }
  if (octets_.size() < arrived.size() || octets_.size() > bytes)
    octets_.resize(std::min({bytes, octets_.capacity(), arrived.size() + step_bytes}));
  std::ranges::copy(arrived, octets_.begin());
  const bool has_room = make_room(arrived.size());
  was_filled_ = true;  // the octets came with the first read of a long message
  return has_room;
}

bool BodyTail::make_room(std::size_t arrived) {
  arrived_ = arrived;
  was_filled_ = arrived_ == octets_.size();
  if (missing() == 0) trusted_ = std::max(trusted_, bytes_);
  return missing() == 0 || !was_filled_ || grow();
}

bool BodyTail::grow() {
  const std::size_t wanted = std::min(bytes_, arrived_ + step_bytes);
  if (octets_.capacity() == arrived_ && !reserve(arrived_ + 1)) return false;
  octets_.resize(std::min(wanted, octets_.capacity()));
  return true;
}

// Takes memory for at least that many octets. Both blocks are charged while one is copied to the other.
bool BodyTail::reserve(std::size_t bytes) {
  const std::size_t held = octets_.capacity();
  const std::size_t step = std::max({bytes, growth * held, first_bytes});
  const std::size_t wanted = bytes_ <= step + step / 4 ? bytes_ : step;
  fits_later_ = false;
  if (!memory_.resize(held + wanted)) {
    fits_later_ = memory_.could_resize(held + wanted);
    return false;
  }
  try {
    octets_.reserve(wanted);
  } catch (const std::bad_alloc&) {
  }
  memory_.shrink(octets_.capacity());
  return octets_.capacity() >= wanted;
}

void BodyTail::drop() {
  if (octets_.capacity() > spare_.capacity()) spare_ = std::move(octets_);
  octets_ = std::vector<std::uint8_t>();
  bytes_ = arrived_ = taken_ = 0;
  settle();
}

void BodyTail::trim(std::size_t keep_bytes) {
  if (begun() || spare_.capacity() <= keep_bytes) return;
  spare_ = std::vector<std::uint8_t>();
  memory_.shrink(0);
}

bool BodyTail::read_exact(MutableBytes into) {
  if (into.size() > octets_.size() - taken_) return false;
  std::ranges::copy(in_memory().first(into.size()), into.begin());
  taken_ += into.size();
  return true;
}

bool BodyTail::take_vector(std::vector<std::uint8_t>& into, std::size_t count) {
  if (taken_ != 0 || count > octets_.size() || octets_.size() - count > most_behind) return false;
  std::vector<std::uint8_t> behind(octets_.begin() + static_cast<std::ptrdiff_t>(count), octets_.end());
  octets_.resize(count);
  spare_ = std::exchange(into, std::exchange(octets_, std::move(behind)));
  settle();
  return true;
}

HeldOctets BodyTail::read_in_place(std::size_t count) {
  std::vector<std::uint8_t> octets;
  return take_vector(octets, count) ? hold_octets(std::move(octets)) : HeldOctets();
}

}  // namespace takt::cdr
