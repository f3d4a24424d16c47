// Octets that arrive in numbered parts, in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>

namespace takt {

// A value type. The caller of add() must bound the memory.
class NumberedParts {
 public:
  // Copies `octets`, which must not be empty. Returns false if this part is already present. Allocates an
  // entry for every number up to `number`.
  bool add(std::uint32_t number, ByteView octets) {
    if (number >= parts_.size()) parts_.resize(number + std::size_t{1});
    Part& part = parts_[number];
    if (part.size != 0) return false;
    const auto from = static_cast<std::uint32_t>(octets_.size());
    octets_.insert(octets_.end(), octets.begin(), octets.end());  // may throw: then the part has not come
    part = {from, static_cast<std::uint32_t>(octets.size())};
    ++present_;
    return true;
  }
  std::uint32_t present() const { return present_; }
  // One more than the highest number seen.
  std::size_t end() const { return parts_.size(); }
  // Total size of all parts.
  std::size_t octets() const { return octets_.size(); }
  // Memory in use, without the reserve of the vectors.
  std::size_t bytes() const { return octets_.size() + parts_.size() * sizeof(Part); }
  // Appends all parts in the order of their numbers.
  void append_to(std::vector<std::uint8_t>& all) const {
    for (const Part& part : parts_)
      all.insert(all.end(), octets_.begin() + part.from, octets_.begin() + part.from + part.size);
  }
  // Returns all parts in the order of their numbers, without a copy if they were added in it, and forgets
  // them.
  std::vector<std::uint8_t> take_all() {
    std::vector<std::uint8_t> all;
    if (std::ranges::is_sorted(parts_, {}, &Part::from)) {
      all = std::move(octets_);
    } else {
      all.reserve(octets_.size());
      append_to(all);
    }
    clear();
    return all;
  }
  // Forgets all parts, and keeps the memory of their entries, not of their octets.
  void clear() {
    parts_.clear();
    octets_ = {};
    present_ = 0;
  }

 private:
  struct Part {
    std::uint32_t from = 0, size = 0;  // position in octets_; size 0: not received
  };

  std::vector<Part> parts_;
  std::vector<std::uint8_t> octets_;
  std::uint32_t present_ = 0;
};

}  // namespace takt
