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
// are not probed. `find` runs nothing: the call has noted the address of a FoundOperation, which the skeleton
// fills for calls with this name. It returns false if it has no such operation.
enum class OperationSearch : std::uint8_t { perfect, linear, dynamic, unprobed, find };

// Decodes, calls and answers. False, without any effect, if the call is for another operation. `servant` is
// the skeleton's type S.
using FromWire = bool (*)(void* servant, server::ServerCall&);

// An operation of a servant, to be called without a search.
struct FoundOperation {
  FromWire from_wire = nullptr;
  void* servant = nullptr;
};
// Answers a search of kind `find`.
inline void note_found(server::ServerCall& call, void* servant, FromWire from_wire) {
  *reinterpret_cast<FoundOperation*>(call.noted_operation()) = {from_wire, servant};
}

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
