// Alternative searches for the operations of a skeleton, for adapters whose look-up policy asks for one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <takt/cdr/operation.h>
#include <takt/server/server_call.h>

namespace takt::adapter {

// How a skeleton finds an operation; chosen by its adapter. `unprobed` is perfect hashing for calls that
// are not probed. `find` runs nothing: the skeleton puts its operation of that name into the call's found(),
// or returns false if it has none.
enum class OperationSearch : std::uint8_t { perfect, linear, dynamic, unprobed, find };

using server::FoundOperation;
using FromWire = decltype(FoundOperation::from_wire);

// One operation of a skeleton of type S.
template <class S>
struct OperationEntry {
  std::string_view name;
  const OperationId* id;
  FromWire from_wire;
  bool (*direct)(S&, void* frame);  // always returns true; `frame` is the operation's LocalFrame
};

// A hash table of operation names, at most half full, with linear probing.
template <class S, std::size_t N>
class HashedOperations {
 public:
  explicit constexpr HashedOperations(const OperationEntry<S> (&operations)[N]) : operations_(operations) {
    for (std::size_t number = 0; number < N; ++number) {
      std::size_t place = home(operations[number].name);
      while (numbers_[place] != 0) place = (place + 1) % places;
      numbers_[place] = static_cast<std::uint16_t>(number + 1);
    }
  }
  constexpr const OperationEntry<S>* find(std::string_view name) const {
    for (std::size_t place = home(name); numbers_[place] != 0; place = (place + 1) % places)
      if (const auto& entry = operations_[numbers_[place] - 1]; entry.name == name) return &entry;
    return nullptr;
  }

 private:
  static constexpr std::size_t places = std::bit_ceil(2 * N);
  static constexpr std::size_t home(std::string_view name) { return OperationId::hash_of(name) % places; }

  const OperationEntry<S> (&operations_)[N];
  std::array<std::uint16_t, places> numbers_{};  // operation number plus 1; 0: empty
};

// Not inlined, because it is rarely used.
template <class S, std::size_t N>
[[gnu::noinline]] const OperationEntry<S>* search_operation(const OperationEntry<S> (&operations)[N],
                                                            std::string_view name, OperationSearch search) {
  if (search == OperationSearch::dynamic) {
    static const HashedOperations<S, N> map(operations);
    return map.find(name);
  }
  for (const auto& entry : operations)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace takt::adapter
