#include "lookup/linear_lookup.h"

#include "lookup/keys/object_key.h"

namespace takt::adapter {

bool LinearLookup::offer(ByteView id, std::uint32_t, Asker accepts) const {
  const std::uint64_t hash = hash_of(id);
  return array_.read([&](const WordArray::Table& table) {
    for (std::size_t i = 0; i <= table.mask; ++i) {
      const std::uint64_t word = table.words[i].load();
      if (word == 0) return false;
      if (WordArray::may_be(word, hash) && accepts(WordArray::slot_of(word))) return true;
    }
    return false;
  });
}

void LinearLookup::insert(ByteView id, std::uint32_t slot) {
  if (size_ > array_.newest().mask) {
    const auto& old = array_.newest();
    auto table = std::make_unique<WordArray::Table>((old.mask + 1) * 2);
    for (std::size_t i = 0; i < size_; ++i) table->words[i].store(old.words[i].load());
    array_.publish(std::move(table));
  }
  places_[slot] = size_;
  array_.store(array_.newest().words[size_++], WordArray::word_of(hash_of(id), slot));
}

// Moves the last word into the gap. It is copied before its old position is cleared.
void LinearLookup::erase(ByteView, std::uint32_t slot) {
  const auto found = places_.find(slot);
  if (found == places_.end()) return;
  const std::size_t gap = found->second;
  places_.erase(found);
  auto& words = array_.newest().words;
  const std::uint64_t last = words[--size_].load();
  if (gap != size_) {
    array_.store(words[gap], last);
    places_.find(WordArray::slot_of(last))->second = gap;
  }
  array_.store(words[size_], 0);
}

}  // namespace takt::adapter
