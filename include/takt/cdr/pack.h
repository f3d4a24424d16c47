// Values of several types, one after the other: what std::tuple is, for a fraction of what that takes to
// compile.
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
  // Calls it with all of them.
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
