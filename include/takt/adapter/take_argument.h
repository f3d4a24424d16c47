// Arguments that a servant keeps without copying.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/pack.h>
#include <takt/cdr/sequence_view.h>

namespace takt {

namespace adapter {

template <class T>
inline constexpr bool is_view = false;
template <class T, std::uint32_t Bound>
inline constexpr bool is_view<cdr::SequenceView<T, Bound>> = true;

// The address identifies the element type in the search for a view.
template <class T>
inline constexpr char element_tag = 0;

// The arguments of this thread's innermost upcall, if they belong to the upcall because they were decoded
// from a message. Lives on the upcall's stack.
class TakeableArguments {
 public:
  // For a collocated call, whose arguments belong to the caller.
  TakeableArguments() : TakeableArguments(nullptr, 0) {}
  template <class Values>
  explicit TakeableArguments(Values& values)
      : TakeableArguments(reinterpret_cast<const char*>(&values), sizeof values,
                          searched_for_views<Values>()) {}
  ~TakeableArguments() { innermost_ = outer_; }
  TakeableArguments(const TakeableArguments&) = delete;
  TakeableArguments& operator=(const TakeableArguments&) = delete;

  static bool contain(const void* address) {
    const auto number = [](const void* of) { return reinterpret_cast<std::uintptr_t>(of); };
    return number(innermost_.begin) <= number(address) && number(address) < number(innermost_.end);
  }
  // The argument whose elements are exactly those of `view`; null if there is none.
  template <class T>
  static cdr::ViewedElements<T>* viewed(std::span<const T> view) {
    const Elements elements{view.data(), view.size(), &element_tag<T>};
    return innermost_.find ? static_cast<cdr::ViewedElements<T>*>(innermost_.find(innermost_.begin, elements))
                           : nullptr;
  }

 private:
  struct Elements {
    const void* data;
    std::size_t count;
    const char* tag;
  };
  using Find = void*(const char* values, const Elements& elements);
  struct Range {
    const char* begin;
    const char* end;
    Find* find;
  };
  TakeableArguments(const char* begin, std::size_t bytes, Find* find = nullptr)
      : outer_(std::exchange(innermost_, Range{begin, begin + bytes, find})) {}

  template <class Values>
  static constexpr Find* searched_for_views() {
    return []<class... T>(std::type_identity<Pack<T...>>) -> Find* {
      if constexpr ((is_view<T> || ...))
        return &find_view<Values>;
      else
        return nullptr;
    }(std::type_identity<Values>{});
  }
  template <class Values>
  static void* find_view(const char* values, const Elements& elements) {
    void* found = nullptr;
    auto& arguments = *reinterpret_cast<Values*>(const_cast<char*>(values));
    arguments.apply([&](auto&... argument) { (look_into(argument, elements, found), ...); });
    return found;
  }
  template <class Argument>
  static void look_into(Argument&, const Elements&, void*&) {}
  template <class T, std::uint32_t Bound>
  static void look_into(cdr::SequenceView<T, Bound>& view, const Elements& elements, void*& found) {
    if (elements.tag != &element_tag<T>) return;
    if (view.is_of({static_cast<const T*>(elements.data), elements.count}))
      found = static_cast<cdr::ViewedElements<T>*>(&view);
  }

  static inline constinit thread_local Range innermost_{nullptr, nullptr, nullptr};
  const Range outer_;
};

// For operations without arguments worth taking.
struct NothingToTake {
  NothingToTake() = default;
  template <class Values>
  explicit NothingToTake(Values&) {}
};
template <class... T>
using Takeable =
    std::conditional_t<(std::is_trivially_copyable_v<T> && ...), NothingToTake, TakeableArguments>;

}  // namespace adapter

// For servants: keeps an `in` argument of the thread's current upcall, or a member of one, beyond the upcall.
// An argument from a message is moved, without allocation, and is empty afterwards. It is copied if it
// belongs to the caller, in a collocated call, or is not an argument at all.
//
//   void Recorder::frame(const Octets& pixels) override { frames_.push_back(takt::take_argument(pixels)); }
template <class T>
[[nodiscard]] T take_argument(const T& argument) {
  // The arguments are variables of the skeleton, which does not read them again.
  if (adapter::TakeableArguments::contain(&argument)) return std::move(const_cast<T&>(argument));
  return argument;
}

// For views: returns the elements. They are moved if the ORB has already copied them, for example to change
// the byte order, or has read them from the socket into place. Otherwise they are copied from the request.
template <class T>
[[nodiscard]] std::vector<T> take_argument(std::span<const T> view) {
  if (auto* viewed = adapter::TakeableArguments::viewed(view))
    if (auto* copy = viewed->copy()) return std::move(*copy);
  return {view.begin(), view.end()};
}

}  // namespace takt
