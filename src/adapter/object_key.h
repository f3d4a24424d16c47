// What the object keys of this adapter hold.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::adapter {

using ObjectId = std::vector<std::uint8_t>;

// Where something is in a table, and since when.
struct SlotName {
  std::uint32_t index = 0xffffffff;
  std::uint32_t generation = 0;
  friend bool operator==(const SlotName&, const SlotName&) = default;
};

// All numbers in keys are big-endian.
inline std::uint32_t get_u32(const std::uint8_t* from) {
  std::uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}
inline void put_u32(std::uint8_t* to, std::uint32_t value) {
  if (std::endian::native == std::endian::little) value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof value);
}

// A key of a transient object dies with its ORB: `instance`, a random number of the ORB, is in it.
//
//   "TK" 1 'T'  instance  object's slot  its generation  POA's slot  its generation  [object id]
//
// The first eight octets are the same in all of an ORB's transient keys, so that one comparison knows them.
// The id is left out where it is the slot's name. The object's slot is a hint: whoever has the key of an
// object that has been deactivated and activated again finds it by the POA and the id.
inline constexpr std::size_t transient_key_size = 24;

struct TransientKey {
  SlotName object;
  SlotName poa;
  ByteView id;  // empty: the object's slot name is its id
};

class KeyFormat {
 public:
  explicit KeyFormat(std::uint32_t instance) {
    const std::uint8_t prefix[8] = {'T', 'K', 1, 'T'};
    std::memcpy(&prefix_, prefix, 4);
    std::uint8_t tail[4];
    put_u32(tail, instance);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&prefix_) + 4, tail, 4);
  }
  bool is_transient(ByteView key) const {
    std::uint64_t start;
    if (key.size() < transient_key_size) return false;
    std::memcpy(&start, key.data(), sizeof start);
    return start == prefix_;
  }
  // Of a key that is_transient().
  static SlotName object_of(ByteView key) { return {get_u32(key.data() + 8), get_u32(key.data() + 12)}; }
  static SlotName poa_of(ByteView key) { return {get_u32(key.data() + 16), get_u32(key.data() + 20)}; }
  static ByteView id_of(ByteView key) { return key.subspan(transient_key_size); }

  ObjectId make_transient(SlotName object, SlotName poa, ByteView id) const;

 private:
  std::uint64_t prefix_;
};

// A key of a persistent object leads there in any process that has an adapter of that path:
//
//   "TK" 1 'P'  length of the path  path  object id
//
// The path is, for each POA below the root, the length of its name and the name.
struct PersistentKey {
  ByteView path;
  ByteView id;
};
std::optional<PersistentKey> read_persistent_key(ByteView key);
ObjectId make_persistent_key(std::string_view path, ByteView id);

std::string append_to_path(std::string_view path, std::string_view name);
// Nothing if that is no path.
std::optional<std::vector<std::string>> names_of_path(ByteView path);

// An id that is a slot's name: that of an object that the adapter named.
ObjectId id_of_slot(SlotName slot);
std::optional<SlotName> slot_of_id(ByteView id);

std::uint64_t hash_of(ByteView octets);
inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view text_of(ByteView octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

}  // namespace takt::adapter
