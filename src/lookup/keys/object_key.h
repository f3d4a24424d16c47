// The format of this ORB's object keys.
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

#include <takt/base/bytes.h>
#include <takt/lookup/lookup_policy.h>

#include "lookup/keys/key_seal.h"

namespace takt::adapter {

using ObjectId = std::vector<std::uint8_t>;

// A slot of a table, and the generation that it had.
struct alignas(8) SlotName {
  std::uint32_t index = 0xffffffff;
  std::uint32_t generation = 0;
  friend bool operator==(const SlotName&, const SlotName&) = default;
};

// Both as one number, for a single comparison.
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

// The contents of a key. A transient object's key is valid only in its ORB: it contains `instance`, a random
// number of the ORB. A persistent object's key is valid in any process that has an adapter with that path.
//
//   transient:   "TK" 1 kind  instance  object's slot  its generation  POA's slot  its generation
//                [length of the path  path]  [object id]
//   persistent:  "TK" 1 kind  length of the path  path  object id
//   sealed:      "TK" 1 'S'  MAC  any of the others
//
// Lengths are big-endian. Instance, slots and generations have the machine's byte order, since only this
// process reads them. The kind tells how to find the adapter: by the object ('T', delayered), by its slot
// ('A'), or by its path, by linear search ('l', persistent 'L'), hashing ('h', 'P') or perfect hashing ('g',
// 'G'); transient keys have a path only for the latter three. The id is omitted if it is the object's slot
// name. The object's slot is a hint: after a deactivation and reactivation the object is found by POA and id.
// The path has the length and the name of each POA below the root.
struct KeyParts {
  bool transient = false;
  Lookup adapter = Lookup::delayered;
  SlotName object = {};  // for transient keys, like `poa`
  SlotName poa = {};
  ByteView path = {};
  ByteView id = {};
};
inline constexpr std::size_t transient_key_size = 24;  // without path and id
inline constexpr std::size_t seal_size = 8;

class KeyFormat {
 public:
  explicit KeyFormat(std::uint32_t instance);

  // Recognises the common kinds of transient keys by one comparison: the first eight octets are equal in all
  // keys of a kind from one ORB. These functions return false for all keys once keys are sealed. The usual
  // key is delayered and has no id.
  bool is_usual(const ByteView& key) const {
    return key.size() == usual_size_ && start_of(key) == delayered_;
  }
  bool is_delayered(ByteView key) const { return starts_with(key, delayered_); }
  bool is_active(ByteView key) const { return starts_with(key, active_); }
  bool is_perfect(ByteView key) const { return starts_with(key, perfect_); }
  // For keys of these kinds.
  static SlotName object_of(ByteView key) { return slot_at(key.data() + 8); }
  static SlotName poa_of(ByteView key) { return slot_at(key.data() + 16); }
  static ByteView id_of(ByteView key) { return key.subspan(transient_key_size); }
  // For a key that is_perfect(), which also has the id. nullopt if it is truncated.
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

  // nullopt if the key has another format, instance or seal.
  std::optional<KeyParts> read(ByteView key) const;
  ObjectId make(const KeyParts& parts) const;

  // Seals all keys from now on and rejects keys without a valid seal. Call before the first key is made.
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
// nullopt if `path` is malformed.
std::optional<std::vector<std::string>> names_of_path(ByteView path);

// Conversion between a slot name and the id of an object that the adapter has named.
ObjectId id_of_slot(SlotName slot);
std::optional<SlotName> slot_of_id(ByteView id);

std::uint64_t hash_of(ByteView octets);
// Whether octets can be compared as two words, without memcmp: most ids are that short.
inline bool is_short(const ByteView& octets) { return octets.size() - 8 <= 8; }
// `a` and `b` must be short and of equal size.
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
