#include <takt/base/gather_buffer.h>

#include <algorithm>
#include <new>

namespace takt {

GatherBuffer::GatherBuffer(std::size_t reserve_bytes)
    : block_(std::make_unique_for_overwrite<std::uint8_t[]>(reserve_bytes)),
      cursor_(block_.get()),
      limit_(cursor_ + reserve_bytes) {}

void GatherBuffer::grow(std::size_t count) {
  const std::size_t used = owned_size();
  const std::size_t capacity = std::max(used + count, 2 * static_cast<std::size_t>(limit_ - block_.get()));
  auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
  std::memcpy(larger.get(), block_.get(), used);
  block_ = std::move(larger);
  cursor_ = block_.get() + used;
  limit_ = block_.get() + capacity;
}

void GatherBuffer::borrow(ByteView octets) {
  if (octets.empty()) return;
  runs_.push_back({owned_size(), octets});
  borrowed_bytes_ += octets.size();
}

void GatherBuffer::insert(std::size_t index, std::size_t count) {
  ensure(count);
  std::uint8_t* const at = block_.get() + index;
  std::memmove(at + count, at, owned_size() - index);
  std::memset(at, 0, count);
  cursor_ += count;
  for (Run& run : runs_) run.owned_before += count;
}

void GatherBuffer::drop(std::size_t keep_bytes) {
  runs_.clear();
  kept_.reset();
  borrowed_bytes_ = 0;
  if (static_cast<std::size_t>(limit_ - block_.get()) <= keep_bytes) return;
  // If memory for a shorter block is not available, keep the long one.
  std::unique_ptr<std::uint8_t[]> shorter(new (std::nothrow) std::uint8_t[keep_bytes]);
  if (!shorter) return;
  block_ = std::move(shorter);
  limit_ = block_.get() + keep_bytes;
}

void GatherBuffer::gather(std::vector<ByteView>& pieces) const {
  std::size_t from = 0;
  for (const Run& run : runs_) {
    if (run.owned_before > from) pieces.emplace_back(block_.get() + from, run.owned_before - from);
    pieces.push_back(run.octets);
    from = run.owned_before;
  }
  if (owned_size() > from) pieces.emplace_back(block_.get() + from, owned_size() - from);
}

std::vector<std::uint8_t> GatherBuffer::copy(std::size_t from) const {
  std::vector<ByteView> pieces;
  gather(pieces);
  std::vector<std::uint8_t> octets;
  octets.reserve(size() - std::min(from, size()));
  for (const ByteView piece : pieces) {
    const std::size_t skipped = std::min(from, piece.size());
    octets.insert(octets.end(), piece.begin() + static_cast<std::ptrdiff_t>(skipped), piece.end());
    from -= skipped;
  }
  return octets;
}

}  // namespace takt
