// What the object keys of this adapter hold.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/adapter/lookup_policy.h>
#include <takt/base/bytes.h>

#include "adapter/keys/key_seal.h"

namespace takt::adapter {

using ObjectId = std::vector<std::uint8_t>;

// Where something is in a table, and since when.
struct alignas(8) SlotName {
  std::uint32_t index = 0xffffffff;
  std::uint32_t generation = 0;
  friend bool operator==(const SlotName&, const SlotName&) = default;
};

// One number for both, to compare it at once.
constexpr std::uint64_t word_of(SlotName slot) { return std::bit_cast<std::uint64_t>(slot); }
constexpr SlotName slot_of(std::uint64_t word) { return std::bit_cast<SlotName>(word); }

// Big-endian.
inline std::uint32_t get_u32(const std::uint8_t* from) {
  std::uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}
inline void put_u32(std::uint8_t* to, std::uint32_t value) {
  if (std::endian::native == std::endian::little) value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof value);
}

// What a key is made of. A key of a transient object dies with its ORB: `instance`, a random number of the
// ORB, is in it. A key of a persistent object leads there in any process that has an adapter of that path.
//
//   transient:   "TK" 1 kind  instance  object's slot  its generation  POA's slot  its generation
//                [length of the path  path]  [object id]
//   persistent:  "TK" 1 kind  length of the path  path  object id
//   sealed:      "TK" 1 'S'  MAC  any of the others
//
// Lengths are big-endian; instance, slots and generations, which nobody else reads, are of the machine's own
// order. The kind says how the adapter is found: by the object ('T', delayered), by its slot ('A') or by its
// path, linearly ('l', persistent 'L'), by hashing ('h', 'P') or perfectly ('g', 'G'); only those last ones
// of a transient key have a path. The id is left out where it is the object's slot name. The object's slot is
// a hint: whoever has the key of an object that has been deactivated and activated again finds it by the POA
// and the id. The path is, for each POA below the root, the length of its name and the name.
struct KeyParts {
  bool transient = false;
  Lookup adapter = Lookup::delayered;
  SlotName object = {};  // of a transient key, as is the next
  SlotName poa = {};
  ByteView path = {};
  ByteView id = {};
};
inline constexpr std::size_t transient_key_size = 24;  // without path and id
inline constexpr std::size_t seal_size = 8;

class KeyFormat {
 public:
  explicit KeyFormat(std::uint32_t instance);

  // The kinds of transient keys that most servers have are known by one comparison: the first eight octets
  // are the same in all of an ORB's keys of a kind. False for all keys once they are sealed. The usual key is
  // delayered, without an id.
  bool is_usual(const ByteView& key) const {
    return key.size() == usual_size_ && start_of(key) == delayered_;
  }
  bool is_delayered(ByteView key) const { return starts_with(key, delayered_); }
  bool is_active(ByteView key) const { return starts_with(key, active_); }
  bool is_perfect(ByteView key) const { return starts_with(key, perfect_); }
  // Of a key that is one of these.
  static SlotName object_of(ByteView key) { return slot_at(key.data() + 8); }
  static SlotName poa_of(ByteView key) { return slot_at(key.data() + 16); }
  static ByteView id_of(ByteView key) { return key.subspan(transient_key_size); }
  // Of a key that is_perfect(): where the id is too. Nothing if it is cut short.
  struct PathAndId {
    ByteView path, id;
  };
  static std::optional<PathAndId> path_and_id_of(ByteView key) {
    if (key.size() < transient_key_size + 4) return std::nullopt;
    const std::uint32_t length = get_u32(key.data() + transient_key_size);
    const ByteView rest = key.subspan(transient_key_size + 4);
    if (length > rest.size()) return std::nullopt;
    return PathAndId{rest.first(length), rest.subspan(length)};
  }

  // Nothing if it is no key of this format, of another instance, or not sealed as it must be.
  std::optional<KeyParts> read(ByteView key) const;
  ObjectId make(const KeyParts& parts) const;

  // From now on keys are sealed: one that this seal did not make is none. Before the first one is made.
  void seal_with(std::unique_ptr<const KeySeal> seal);
  const KeySeal* seal() const { return seal_.get(); }

 private:
  static SlotName slot_at(const std::uint8_t* octets) {
    SlotName slot;
    std::memcpy(&slot, octets, sizeof slot);
    return slot;
  }
  bool starts_with(ByteView key, std::uint64_t wanted) const {
    return key.size() >= usual_size_ && start_of(key) == wanted;
  }
  static std::uint64_t start_of(const ByteView& key) {
    std::uint64_t start;
    std::memcpy(&start, key.data(), sizeof start);
    return start;
  }
  std::optional<KeyParts> read_inner(ByteView key) const;

  std::uint64_t delayered_, active_, perfect_;
  std::size_t usual_size_ = transient_key_size;
  const std::uint32_t instance_;
  std::unique_ptr<const KeySeal> seal_;
};

std::string append_to_path(std::string_view path, std::string_view name);
// Nothing if that is no path.
std::optional<std::vector<std::string>> names_of_path(ByteView path);

// An id that is a slot's name: that of an object that the adapter named.
ObjectId id_of_slot(SlotName slot);
std::optional<SlotName> slot_of_id(ByteView id);

std::uint64_t hash_of(ByteView octets);
// By two words where they are few, since most ids are short and a call of memcmp costs more.
inline bool is_short(const ByteView& octets) { return octets.size() - 8 <= 8; }
// Of a and b that are short and of the same size.
inline bool equal_short(const ByteView& a, const ByteView& b) {
  const auto same = [&](std::size_t at) {
    std::uint64_t left, right;
    std::memcpy(&left, a.data() + at, 8);
    std::memcpy(&right, b.data() + at, 8);
    return left == right;
  };
  return same(0) && same(a.size() - 8);
}
inline bool equal(const ByteView& a, const ByteView& b) {
  if (a.size() != b.size()) return false;
  return is_short(a) ? equal_short(a, b) : std::ranges::equal(a, b);
}
inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view text_of(ByteView octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

}  // namespace takt::adapter
