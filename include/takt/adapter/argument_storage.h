// Storage of a skeleton's arguments during an upcall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <takt/cdr/codec.h>
#include <takt/cdr/sequence_view.h>

namespace takt::adapter {

namespace detail {

// Whether values of the type own nothing but memory, so that keeping one for the next call keeps no object
// alive. The depth is limited because structs may contain sequences of themselves.
template <class T, int Depth = 4>
constexpr bool owns_only_memory();

template <class T, int Depth>
struct OwnsOnlyMemory {
  static constexpr bool value = [] {
    if constexpr (std::is_trivially_copyable_v<T>)
      return true;
    else if constexpr (cdr::HasFields<T> && Depth > 0)
      return []<class... M>(std::type_identity<std::tuple<M...>>) {
        return (owns_only_memory<M, Depth - 1>() && ...);
      }(std::type_identity<cdr::FieldTypes<T>>{});
    else
      return false;
  }();
};
template <class C, int Depth>
struct OwnsOnlyMemory<std::basic_string<C>, Depth> : std::true_type {};
template <class T, int Depth>
struct OwnsOnlyMemory<std::vector<T>, Depth> {
  static constexpr bool value = Depth > 0 && owns_only_memory<T, Depth - 1>();
};

template <class T, std::uint32_t Bound, int Depth>
struct OwnsOnlyMemory<cdr::SequenceView<T, Bound>, Depth> : std::true_type {};

template <class T, int Depth>
constexpr bool owns_only_memory() {
  return OwnsOnlyMemory<T, Depth>::value;
}

template <class T>
void empty(T& value) {
  if constexpr (requires { value.clear(); })
    value.clear();
  else
    value = T{};
}

// Ends the view, and keeps its memory for the next call.
template <class T>
void let_go(T&) {}
template <class T, std::uint32_t Bound>
void let_go(cdr::SequenceView<T, Bound>& view) {
  view.let_go();
}

}  // namespace detail

// Whether arguments of these types are kept for the thread's next call. Trivially copyable ones need not be.
template <class... T>
inline constexpr bool keeps_arguments =
    !(std::is_trivially_copyable_v<T> && ...) && (detail::owns_only_memory<T>() && ...);

// A Pack of values on the stack, for one call.
template <class Values, bool Kept>
class ArgumentStorage {
 public:
  Values& values() { return values_; }
  void used(std::size_t) {}

 private:
  Values values_{};
};

// Values that belong to the thread and keep their memory from call to call; a nested call has its own. The
// memory is freed after a message of more than `keep_bytes`.
template <class Values>
class ArgumentStorage<Values, true> {
 public:
  static constexpr std::size_t keep_bytes = 2 * 1024 * 1024;

  ArgumentStorage() : kept_(of_thread()) {
    nested_ = kept_.in_use;
    kept_.in_use = true;
    if (nested_) own_.emplace();
  }
  ~ArgumentStorage() {
    if (nested_) return;
    kept_.values.apply([](auto&... value) { (detail::let_go(value), ...); });
    kept_.in_use = false;
    if (too_large_) kept_.values = Values{};
  }
  ArgumentStorage(const ArgumentStorage&) = delete;
  ArgumentStorage& operator=(const ArgumentStorage&) = delete;

  Values& values() { return nested_ ? *own_ : kept_.values; }
  // Reports the size of the message, in octets.
  void used(std::size_t bytes) { too_large_ = bytes > keep_bytes; }

 private:
  struct Kept {
    Values values{};
    bool in_use = false;
  };
  static Kept& of_thread() {
    thread_local Kept kept;
    return kept;
  }

  Kept& kept_;
  std::optional<Values> own_;
  bool nested_ = false;
  bool too_large_ = false;
};

}  // namespace takt::adapter
