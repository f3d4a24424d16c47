// A list of values of several types, like std::tuple but much cheaper to compile.
#pragma once

#include <cstddef>
#include <utility>

namespace takt {

namespace detail {

template <std::size_t Place, class T>
struct PackedValue {
  T value;
};

template <class Places, class... T>
struct Packed;
template <std::size_t... place, class... T>
struct Packed<std::index_sequence<place...>, T...> : PackedValue<place, T>... {
  // Calls `use` with all values.
  template <class F>
  void apply(F&& use) {
    use(static_cast<PackedValue<place, T>&>(*this).value...);
  }
  template <class F>
  void apply(F&& use) const {
    use(static_cast<const PackedValue<place, T>&>(*this).value...);
  }
};

}  // namespace detail

// An aggregate.
template <class... T>
using Pack = detail::Packed<std::index_sequence_for<T...>, T...>;

}  // namespace takt
