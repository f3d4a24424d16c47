// Uses a hash table that grows.
#pragma once

#include "lookup/id_lookup.h"
#include "lookup/word_array.h"

namespace takt::adapter {

// Open addressing, at most half full, which keeps probe sequences short.
class DynamicLookup : public IdLookup {
 public:
  void insert(ByteView id, std::uint32_t slot) override;
  void erase(ByteView id, std::uint32_t slot) override;

 protected:
  bool offer(ByteView id, std::uint32_t hint, Asker accepts) const override;

 private:
  void grow();

  WordArray array_{16};
  std::size_t size_ = 0;
};

}  // namespace takt::adapter
