// The operations of a skeleton, found by name with a hash that has no collisions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <takt/adapter/operation_search.h>
#include <takt/base/probe_site.h>
#include <takt/connection/server_call.h>

namespace takt::adapter {

// The function that gperf found when the IDL was compiled: the sum of the values of the characters at some
// positions (and of the length). Every name of the table has a slot of its own; other names may share one.
template <std::size_t Positions, std::size_t Characters, std::size_t Slots>
struct PerfectHash {
  struct Position {
    int index;           // -1: the last character
    unsigned increment;  // added to the character before its value is looked up
  };
  static constexpr std::uint16_t nowhere = 0xffff;

  std::array<std::uint16_t, 512> values{};
  std::array<Position, Positions> positions{};
  std::array<std::uint16_t, Slots> slots{};  // the number of the operation there, or `nowhere`
  bool counts_length = false;

  struct Value {
    unsigned character;  // with its increment
    std::uint16_t value;
  };
  constexpr PerfectHash(std::array<Position, Positions> at, bool with_length,
                        std::array<Value, Characters> known, std::array<std::uint16_t, Slots> table)
      : positions(at), slots(table), counts_length(with_length) {
    for (auto& value : values) value = Slots;  // past the table
    for (const Value& entry : known) values[entry.character] = entry.value;
  }

  constexpr std::uint16_t find(std::string_view name) const {
    std::size_t hash = counts_length ? name.size() : 0;
    if (name.empty()) return nowhere;
    for (const Position& position : positions) {
      if (position.index < 0)
        hash += values[static_cast<std::uint8_t>(name.back()) + position.increment];
      else if (static_cast<std::size_t>(position.index) < name.size())
        hash += values[static_cast<std::uint8_t>(name[static_cast<std::size_t>(position.index)]) +
                       position.increment];
    }
    return hash < Slots ? slots[hash] : nowhere;
  }
};

template <class S, class Hash, std::size_t N>
const OperationEntry<S>* find_operation(const Hash& hash, const OperationEntry<S> (&operations)[N],
                                        std::string_view name) {
  const std::size_t number = hash.find(name);
  if (number >= N) return nullptr;
  const OperationEntry<S>& entry = operations[number];
  return entry.name == name ? &entry : nullptr;
}

// Out of line, since few want it.
template <class S, class Hash, std::size_t N>
[[gnu::noinline]] const OperationEntry<S>* search_unusually(const Hash& hash,
                                                            const OperationEntry<S> (&operations)[N],
                                                            const connection::ServerCall& call) {
  const auto search = call.operation_search();
  const auto* entry = search == connection::OperationSearch::perfect
                          ? find_operation(hash, operations, call.operation())
                          : search_operation(operations, call.operation(), search);
  call.operation_found();
  return entry;
}

// What a skeleton's _dispatch and _dispatch_local are.
template <class S, class Hash, std::size_t N>
bool dispatch(const Hash& hash, const OperationEntry<S> (&operations)[N], S& servant,
              connection::ServerCall& call) {
  TAKT_PROBE(server_operation_demux);
  const auto* entry = call.searched_as_usual() ? find_operation(hash, operations, call.operation())
                                               : search_unusually(hash, operations, call);
  if (!entry) return false;
  TAKT_PROBE(server_upcall);
  entry->from_wire(servant, call);
  return true;
}
template <class S, class Hash, std::size_t N>
bool dispatch_local(const Hash& hash, const OperationEntry<S> (&operations)[N], S& servant,
                    std::string_view operation, const void* operation_id, void* frame) {
  // Whoever has the same id has the same name.
  const std::size_t number = hash.find(operation);
  if (number >= N || operations[number].id != operation_id) return false;
  operations[number].direct(servant, frame);
  return true;
}

}  // namespace takt::adapter
