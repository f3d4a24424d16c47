// The ways in which an ORB can compress messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <takt/base/growing_list.h>
#include <takt/giop/compression_method.h>

namespace takt::giop::compression {

inline constexpr std::size_t most_methods = 8;  // of an ORB

// Those that a connection may use, the most wanted first. Of none: nothing is compressed.
class MethodList {
 public:
  MethodList() = default;
  explicit MethodList(const CompressionMethod& one) { add(one); }
  void add(const CompressionMethod& one) { methods_[count_++] = &one; }
  // Null: it is not among them.
  const CompressionMethod* find(std::uint8_t number) const {
    for (const CompressionMethod* const one : all())
      if (one->number() == number) return one;
    return nullptr;
  }
  std::span<const CompressionMethod* const> all() const { return {methods_.data(), count_}; }
  bool empty() const { return count_ == 0; }

 private:
  std::array<const CompressionMethod*, most_methods> methods_;
  std::size_t count_ = 0;
};

// zlib alone.
MethodList usual_methods();

// Those of one ORB: zlib, and what plug-ins bring; none ever leaves. Any thread may look, without a lock.
class Methods {
 public:
  // One whose name and number no other has, where there is room for one more. One thread at a time.
  void add(std::unique_ptr<const CompressionMethod> method);
  // In the order they came.
  MethodList all() const;
  // Those of the names, which commas or spaces divide. The error tells what is wrong with them.
  std::expected<MethodList, std::string> named(std::string_view names) const;

 private:
  GrowingList<const CompressionMethod, most_methods - 1> brought_;
};

}  // namespace takt::giop::compression
