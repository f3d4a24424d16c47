// Octets that come in numbered parts, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

namespace takt {

// A value; its memory is bounded by whoever adds.
class NumberedParts {
 public:
  // `octets`, of which there are some, are copied. False: that part is there. Allocates for all numbers
  // below.
  bool add(std::uint32_t number, ByteView octets) {
    if (number >= parts_.size()) parts_.resize(number + std::size_t{1});
    Part& part = parts_[number];
    if (part.size != 0) return false;
    part = {static_cast<std::uint32_t>(octets_.size()), static_cast<std::uint32_t>(octets.size())};
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    ++present_;
    return true;
  }
  std::uint32_t present() const { return present_; }
  // One more than the highest number.
  std::size_t end() const { return parts_.size(); }
  // Of all parts.
  std::size_t octets() const { return octets_.size(); }
  // That it takes, but for what its vectors have in reserve.
  std::size_t bytes() const { return octets_.size() + parts_.size() * sizeof(Part); }
  // In the order of their numbers.
  void append_to(std::vector<std::uint8_t>& all) const {
    for (const Part& part : parts_)
      all.insert(all.end(), octets_.begin() + part.from, octets_.begin() + part.from + part.size);
  }

 private:
  struct Part {
    std::uint32_t from = 0, size = 0;  // in octets_; none: it has not come
  };

  std::vector<Part> parts_;
  std::vector<std::uint8_t> octets_;
  std::uint32_t present_ = 0;
};

}  // namespace takt
