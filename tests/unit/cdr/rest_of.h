// The rest of a body, which arrives when it is requested.
#pragma once

#include <cstring>

#include <takt/cdr/decoder.h>

namespace takt::cdr::test {

class RestOf : public Decoder::Source {
 public:
  explicit RestOf(ByteView rest) : rest_(rest) {}
  virtual ~RestOf() = default;
  bool read_exact(MutableBytes into) override {
    if (into.size() > rest_.size()) return false;
    ++reads;
    std::memcpy(into.data(), rest_.data(), into.size());
    rest_ = rest_.subspan(into.size());
    return true;
  }
  int reads = 0;

 protected:
  ByteView rest_;
};

}  // namespace takt::cdr::test
