// The ways in which an ORB can compress messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/expected.h>
#include <takt/giop/compression_method.h>

namespace takt::giop::compression {

using MethodRef = std::shared_ptr<const CompressionMethod>;

// Those that a connection may use, the most wanted first, and at most most_methods. Of none: nothing is
// compressed.
using MethodList = std::vector<MethodRef>;
inline constexpr std::size_t most_methods = 8;

inline const CompressionMethod* find(const MethodList& methods, std::uint8_t number) {
  const auto found = std::ranges::find(methods, number, [](const MethodRef& one) { return one->number(); });
  return found == methods.end() ? nullptr : found->get();
}

// zlib alone.
MethodList usual_methods();

// Those of one ORB: zlib, and what plug-ins bring; none ever leaves. Any thread.
class Methods {
 public:
  Methods();
  // Whose name and number no other has.
  void add(MethodRef method);
  // In the order they came.
  MethodList all() const;
  // Those of the names, which commas or spaces divide. The error tells what is wrong with them.
  Expected<MethodList, std::string> named(std::string_view names) const;

 private:
  mutable std::mutex mutex_;
  MethodList methods_;
};

}  // namespace takt::giop::compression
