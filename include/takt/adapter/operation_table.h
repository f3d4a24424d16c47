// Perfect hashing of the operations of a skeleton.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <takt/adapter/operation_search.h>
#include <takt/base/probe_site.h>
#include <takt/server/server_call.h>

namespace takt::adapter {

// The hash function that gperf found when the IDL was compiled: the sum of the values of the characters at
// some positions, and of the length if needed. Each name of the table has its own slot. Other names hash to
// any slot, so the caller compares names.
template <std::size_t Positions, std::size_t Characters, std::size_t Slots>
class PerfectHash {
 public:
  struct Position {
    int index;           // -1: the last character
    unsigned increment;  // added to the character before the look-up of its value
  };
  struct Value {
    unsigned character;  // including the increment
    std::uint16_t value;
  };
  static constexpr std::uint16_t nowhere = 0xffff;
  static constexpr std::size_t slots = std::bit_ceil(Slots);

  constexpr PerfectHash(std::array<Position, Positions> at, bool with_length,
                        std::array<Value, Characters> known, std::array<std::uint16_t, Slots> table)
      : positions_(at), numbers_(table), counts_length_(with_length) {
    for (const Value& entry : known) values_[entry.character] = entry.value;
    for (const Position& position : positions_)
      if (position.index >= 0 && static_cast<std::size_t>(position.index) >= long_enough_)
        long_enough_ = static_cast<std::size_t>(position.index) + 1;
  }

  // The slot of a name.
  constexpr std::size_t find(std::string_view name) const {
    std::size_t hash = counts_length_ ? name.size() : 0;
    if (name.size() >= long_enough_) [[likely]]
      for (const Position& position : positions_) hash += value(name, position);
    else
      hash += value_of_short(name);
    return hash % slots;
  }
  // The number of the operation in the slot; `nowhere` if there is none.
  constexpr std::uint16_t number_at(std::size_t slot) const {
    return slot < Slots ? numbers_[slot] : nowhere;
  }

 private:
  constexpr std::size_t value(std::string_view name, const Position& position) const {
    const char character = position.index < 0 ? name.back() : name[static_cast<std::size_t>(position.index)];
    return values_[static_cast<std::uint8_t>(character) + position.increment];
  }
  constexpr std::size_t value_of_short(std::string_view name) const {
    std::size_t sum = 0;
    for (const Position& position : positions_)
      if (position.index < static_cast<int>(name.size()) && !name.empty()) sum += value(name, position);
    return sum;
  }

  std::array<std::uint16_t, 512> values_{};
  std::array<Position, Positions> positions_{};
  std::array<std::uint16_t, Slots> numbers_{};
  std::size_t long_enough_ = 1;  // length from which a name has all positions
  bool counts_length_ = false;
};

// A skeleton's operations by slot, so that the hash leads straight to code. Empty slots hold the first
// operation, which rejects other names.
template <class S, class Hash, std::size_t N>
class OperationTable {
 public:
  constexpr OperationTable(const Hash& hash, const OperationEntry<S> (&operations)[N])
      : hash_(hash), operations_(operations) {
    for (std::size_t slot = 0; slot < Hash::slots; ++slot) {
      const std::size_t number = hash.number_at(slot);
      const OperationEntry<S>& entry = operations[number < N ? number : 0];
      from_wire_[slot] = entry.from_wire;
    }
    // UBSan rejects null pointer tests in constant expressions.
    std::array<bool, local_places> taken{};
    for (const OperationEntry<S>& entry : operations) {
      std::size_t place = entry.id->hash % local_places;
      while (taken[place]) place = (place + 1) % local_places;
      taken[place] = true;
      local_[place] = {entry.id, entry.direct};
    }
  }

  // The implementations of a skeleton's _dispatch, _dispatch_searching and _dispatch_local.
  bool dispatch(S& servant, server::ServerCall& call) const {
    TAKT_PROBE(server_operation_demux);
    return from_wire_[hash_.find(call.operation())](&servant, call);
  }
  bool dispatch_searching(S& servant, server::ServerCall& call, OperationSearch search) const {
    const FromWire from_wire = from_wire_[hash_.find(call.operation())];
    if (search != OperationSearch::unprobed) [[unlikely]]
      return search_and_dispatch(servant, call, search, operations_, from_wire);
    call.note_operation(reinterpret_cast<const void*>(from_wire));
    return from_wire(&servant, call);
  }
  bool dispatch_local(S& servant, const OperationId& operation, void* frame) const {
    const std::size_t home = operation.hash % local_places;
    if (local_[home].id == &operation) [[likely]]
      return local_[home].direct(servant, frame);
    for (std::size_t place = home; local_[place].id; place = (place + 1) % local_places)
      if (local_[place].id == &operation) return local_[place].direct(servant, frame);
    return false;
  }

 private:
  // Not inlined, so that unprobed calls save no registers. `perfect`: the code that perfect hashing has
  // found.
  [[gnu::noinline]] static bool search_and_dispatch(S& servant, server::ServerCall& call,
                                                    OperationSearch search,
                                                    const OperationEntry<S> (&operations)[N],
                                                    FromWire perfect) {
    if (search != OperationSearch::perfect) {
      const auto* const entry = search_operation(operations, call.operation(), search);
      perfect = entry ? entry->from_wire : nullptr;
    }
    if (search == OperationSearch::find) {
      call.found() = {perfect, &servant};
      return perfect != nullptr;
    }
    call.note_operation(reinterpret_cast<const void*>(perfect));
    call.operation_found();
    return perfect && perfect(&servant, call);
  }

  static constexpr std::size_t local_places = std::bit_ceil(2 * N);
  struct Local {
    const OperationId* id = nullptr;  // null: empty
    bool (*direct)(S&, void* frame) = nullptr;
  };
  const Hash& hash_;
  const OperationEntry<S> (&operations_)[N];
  std::array<FromWire, Hash::slots> from_wire_{};
  std::array<Local, local_places> local_{};
};

}  // namespace takt::adapter
