// Compares one entry after the other.
#pragma once

#include <unordered_map>

#include "lookup/id_lookup.h"
#include "lookup/word_array.h"

namespace takt::adapter {

// Unordered. Inserting and erasing take constant time, finding linear time.
class LinearLookup final : public IdLookup {
 public:
  void insert(ByteView id, std::uint32_t slot) override;
  void erase(ByteView id, std::uint32_t slot) override;

 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override;

  WordArray array_{16};
  std::size_t size_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // position of each slot, for erase()
};

}  // namespace takt::adapter
