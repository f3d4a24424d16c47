// Arguments that a servant keeps without copying them.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace takt {

namespace adapter {

// Where the arguments of this thread's innermost upcall are, if they are nobody's but the upcall's: those
// that came by the wire. Lives on the stack of the upcall.
class TakeableArguments {
 public:
  // None, as in a collocated call, whose arguments are the caller's.
  TakeableArguments() : TakeableArguments(nullptr, 0) {}
  template <class Tuple>
  explicit TakeableArguments(const Tuple& values)
      : TakeableArguments(reinterpret_cast<const char*>(&values), sizeof values) {}
  ~TakeableArguments() { innermost_ = outer_; }
  TakeableArguments(const TakeableArguments&) = delete;
  TakeableArguments& operator=(const TakeableArguments&) = delete;

  static bool contain(const void* address) {
    const auto* octet = static_cast<const char*>(address);
    const std::less_equal<const char*> up_to;
    return up_to(innermost_.begin, octet) && !up_to(innermost_.end, octet);
  }

 private:
  struct Range {
    const char* begin;
    const char* end;
  };
  TakeableArguments(const char* begin, std::size_t bytes)
      : outer_(std::exchange(innermost_, Range{begin, begin + bytes})) {}

  static inline constinit thread_local Range innermost_{nullptr, nullptr};
  const Range outer_;
};

// For operations without an argument that is worth it.
struct NothingToTake {
  NothingToTake() = default;
  template <class Tuple>
  explicit NothingToTake(const Tuple&) {}
};
template <class... T>
using Takeable =
    std::conditional_t<(std::is_trivially_copyable_v<T> && ...), NothingToTake, TakeableArguments>;

}  // namespace adapter

// For servants: an `in` argument of the upcall that this thread is in, or a member of one, to be kept beyond
// the upcall. It is moved, its memory with it, if it came by the wire, and empty from then on; it is copied
// if it is the caller's own, in a collocated call, and wherever it isn't an argument. Does not allocate when
// it moves.
//
//   void Recorder::frame(const Octets& pixels) override { frames_.push_back(takt::take_argument(pixels)); }
template <class T>
[[nodiscard]] T take_argument(const T& argument) {
  // The arguments of an upcall are variables of the skeleton, which reads them no more.
  if (adapter::TakeableArguments::contain(&argument)) return std::move(const_cast<T&>(argument));
  return argument;
}

}  // namespace takt
