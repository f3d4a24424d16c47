#include "lookup/dynamic_lookup.h"

#include "lookup/keys/object_key.h"

namespace takt::adapter {

namespace {

// The preferred position of a word. It depends only on bits in the word, so that a word can be moved.
std::size_t home(const WordArray::Table& table, std::uint64_t word) { return (word >> 32) & table.mask; }

}  // namespace

bool DynamicLookup::offer(ByteView id, std::uint32_t, Asker accepts) const {
  const std::uint64_t hash = hash_of(id);
  return array_.read([&](const WordArray::Table& table) {
    for (std::size_t i = home(table, hash), seen = 0; seen <= table.mask; i = (i + 1) & table.mask, ++seen) {
      const std::uint64_t word = table.words[i].load();
      if (word == 0) return false;
      if (WordArray::may_be(word, hash) && accepts(WordArray::slot_of(word))) return true;
    }
    return false;
  });
}

void DynamicLookup::insert(ByteView id, std::uint32_t slot) {
  if ((size_ + 1) * 2 > array_.newest().mask + 1) grow();
  WordArray::Table& table = array_.newest();
  const std::uint64_t word = WordArray::word_of(hash_of(id), slot);
  std::size_t i = home(table, word);
  while (table.words[i].load() != 0) i = (i + 1) & table.mask;
  array_.store(table.words[i], word);
  ++size_;
}

void DynamicLookup::grow() {
  const WordArray::Table& old = array_.newest();
  auto table = std::make_unique<WordArray::Table>((old.mask + 1) * 2);
  for (std::size_t k = 0; k <= old.mask; ++k) {
    const std::uint64_t word = old.words[k].load();
    if (word == 0) continue;
    std::size_t i = home(*table, word);
    while (table->words[i].load() != 0) i = (i + 1) & table->mask;
    table->words[i].store(word);
  }
  array_.publish(std::move(table));
}

// Closes the gap by moving later words up. Each word is copied before its old position is overwritten, so
// every word can be found at any moment. The exception is a reader between both positions, which sees that
// the array has changed.
void DynamicLookup::erase(ByteView id, std::uint32_t slot) {
  WordArray::Table& table = array_.newest();
  const std::uint64_t word = WordArray::word_of(hash_of(id), slot);
  std::size_t gap = home(table, word);
  while (table.words[gap].load() != word) {
    if (table.words[gap].load() == 0) return;
    gap = (gap + 1) & table.mask;
  }
  for (std::size_t i = (gap + 1) & table.mask; table.words[i].load() != 0; i = (i + 1) & table.mask) {
    const std::uint64_t moving = table.words[i].load();
    const std::size_t distance_home = (i - home(table, moving)) & table.mask;
    const std::size_t distance_gap = (i - gap) & table.mask;
    if (distance_home < distance_gap) continue;
    array_.store(table.words[gap], moving);
    gap = i;
  }
  array_.store(table.words[gap], 0);
  --size_;
}

}  // namespace takt::adapter
