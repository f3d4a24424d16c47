// One after the other.
#pragma once

#include "adapter/lookup/id_lookup.h"
#include "adapter/lookup/word_array.h"

namespace takt::adapter {

// In no order. Inserting takes the same time however many there are; finding and erasing do not.
class LinearLookup final : public IdLookup {
 public:
  void insert(ByteView id, std::uint32_t slot) override;
  void erase(ByteView id, std::uint32_t slot) override;

 private:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override;

  WordArray array_{16};
  std::size_t size_ = 0;
};

}  // namespace takt::adapter
