// The compression methods of an ORB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <takt/base/append_only_list.h>
#include <takt/giop/compression_method.h>

namespace takt::giop::compression {

inline constexpr std::size_t most_methods = 8;  // per ORB

// The methods that a connection may use, in order of preference. If empty, nothing is compressed.
class MethodList {
 public:
  MethodList() = default;
  explicit MethodList(const CompressionMethod& one) { add(one); }
  void add(const CompressionMethod& one) { methods_[count_++] = &one; }
  // Null if it is not in the list.
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

// Only zlib.
MethodList default_methods();

// All methods of one ORB: zlib and those of plug-ins. Methods are never removed. Any thread may read, without
// a lock.
class Methods {
 public:
  // The name and number must be unique, and there must be room. One thread at a time.
  void add(std::unique_ptr<const CompressionMethod> method);
  // In the order in which they were added.
  MethodList all() const;
  // The methods in a list of names, separated by commas or spaces. The error is a text for users.
  std::expected<MethodList, std::string> named(std::string_view names) const;

 private:
  AppendOnlyList<const CompressionMethod, most_methods - 1> brought_;
};

}  // namespace takt::giop::compression
