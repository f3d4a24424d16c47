#include "adapter/object_key.h"

#include <algorithm>
#include <functional>

namespace takt::adapter {

namespace {

constexpr std::uint8_t persistent_prefix[4] = {'T', 'K', 1, 'P'};
constexpr std::size_t persistent_head = 8;

void append_u32(ObjectId& octets, std::uint32_t value) {
  octets.resize(octets.size() + 4);
  put_u32(octets.data() + octets.size() - 4, value);
}

}  // namespace

ObjectId KeyFormat::make_transient(SlotName object, SlotName poa, ByteView id) const {
  ObjectId key(8);
  key.reserve(transient_key_size + id.size());
  std::memcpy(key.data(), &prefix_, 8);
  for (const std::uint32_t part : {object.index, object.generation, poa.index, poa.generation})
    append_u32(key, part);
  key.insert(key.end(), id.begin(), id.end());
  return key;
}

std::optional<PersistentKey> read_persistent_key(ByteView key) {
  if (key.size() < persistent_head || !std::equal(persistent_prefix, persistent_prefix + 4, key.begin()))
    return std::nullopt;
  const std::uint32_t length = get_u32(key.data() + 4);
  if (length > key.size() - persistent_head) return std::nullopt;
  return PersistentKey{key.subspan(persistent_head, length), key.subspan(persistent_head + length)};
}

ObjectId make_persistent_key(std::string_view path, ByteView id) {
  ObjectId key(persistent_prefix, persistent_prefix + 4);
  key.reserve(persistent_head + path.size() + id.size());
  append_u32(key, static_cast<std::uint32_t>(path.size()));
  key.insert(key.end(), path.begin(), path.end());
  key.insert(key.end(), id.begin(), id.end());
  return key;
}

std::string append_to_path(std::string_view path, std::string_view name) {
  std::uint8_t length[4];
  put_u32(length, static_cast<std::uint32_t>(name.size()));
  return std::string(path).append(reinterpret_cast<const char*>(length), 4).append(name);
}

std::optional<std::vector<std::string>> names_of_path(ByteView path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    if (path.size() < 4) return std::nullopt;
    const std::uint32_t length = get_u32(path.data());
    path = path.subspan(4);
    if (length > path.size()) return std::nullopt;
    names.emplace_back(text_of(path.first(length)));
    path = path.subspan(length);
  }
  return names;
}

ObjectId id_of_slot(SlotName slot) {
  ObjectId id;
  append_u32(id, slot.index);
  append_u32(id, slot.generation);
  return id;
}

std::optional<SlotName> slot_of_id(ByteView id) {
  if (id.size() != 8) return std::nullopt;
  return SlotName{get_u32(id.data()), get_u32(id.data() + 4)};
}

std::uint64_t hash_of(ByteView octets) { return std::hash<std::string_view>()(text_of(octets)); }

}  // namespace takt::adapter
