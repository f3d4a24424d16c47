// An array of words that readers search without a lock while it changes and grows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace takt::adapter {

// Each entry is one word with a slot and part of an id's hash, so readers never see half an entry. Readers
// run in any thread and never wait for a writer; a reader that finds nothing during a change searches again.
// The owner serialises writers.
class WordArray {
 public:
  using Word = std::atomic<std::uint64_t>;  // 0: empty
  struct Table {
    explicit Table(std::size_t capacity) : mask(capacity - 1), words(std::make_unique<Word[]>(capacity)) {}
    const std::size_t mask;
    std::unique_ptr<Word[]> words;
  };

  explicit WordArray(std::size_t capacity) { publish(std::make_unique<Table>(capacity)); }
  WordArray(const WordArray&) = delete;
  WordArray& operator=(const WordArray&) = delete;

  static std::uint64_t word_of(std::uint64_t hash, std::uint32_t slot) {
    return (hash & 0xffffffff00000000) | (slot + 1);
  }
  static bool may_be(std::uint64_t word, std::uint64_t hash) { return (word ^ hash) >> 32 == 0; }
  static std::uint32_t slot_of(std::uint64_t word) { return static_cast<std::uint32_t>(word) - 1; }

  // Repeats search(table) until it returns true, or returns false without a concurrent change.
  template <class Search>
  bool read(Search search) const {
    for (;;) {
      const std::uint64_t change = changes_.load();
      if (search(static_cast<const Table&>(*present_.load()))) return true;
      if (changes_.load() == change) [[likely]]
        return false;
    }
  }

  // For writers.
  Table& newest() { return *tables_.back(); }
  void publish(std::unique_ptr<Table> table) {
    tables_.push_back(std::move(table));  // first, because it may throw
    present_.store(tables_.back().get());
    changes_.fetch_add(1);
  }
  void store(Word& word, std::uint64_t value) {
    changes_.fetch_add(1);
    word.store(value);
  }

 private:
  std::atomic<const Table*> present_{nullptr};
  std::atomic<std::uint64_t> changes_{0};  // incremented before each store, so that readers notice
  // Keeps all former tables, since a reader may still use one. Together they are no larger than the newest.
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace takt::adapter
