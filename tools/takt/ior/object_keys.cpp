#include "ior/object_keys.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "lookup/keys/object_key.h"

namespace takt::command {
namespace {

using adapter::KeyFormat;

constexpr std::string_view lookups[] = {"linear", "dynamic", "perfect", "active", "delayered"};

bool is_text(ByteView octets) {
  return std::ranges::all_of(octets, [](std::uint8_t c) { return c >= ' ' && c <= '~'; });
}
std::string text_or_hex(ByteView octets) {
  return is_text(octets) ? std::string(adapter::text_of(octets)) : hex_of(octets);
}

Json slot_json(adapter::SlotName slot) {
  return "slot " + std::to_string(slot.index) + ", generation " + std::to_string(slot.generation);
}

// "TK", 1, and the kind of key (src/lookup/keys/object_key.h).
void add_takt(Json& json, ByteView key) {
  const bool sealed = key[3] == 'S';
  json["made_by"] = "Takt";
  json["sealed"] = sealed;
  if (sealed) {
    constexpr std::size_t head = 4 + adapter::seal_size;
    if (key.size() < head) return;
    key = key.subspan(head);
  }
  std::uint32_t instance = 0;  // any instance: the key brings its own
  if (key.size() >= 8) std::memcpy(&instance, key.data() + 4, sizeof instance);
  const auto parts = KeyFormat(instance).read(key);
  if (!parts) {
    json["kind"] = "unknown to this version";
    return;
  }
  json["kind"] = parts->transient ? "transient: ends with the server process that made it"
                                  : "persistent: valid in any process that has this adapter";
  json["adapter_lookup"] = lookups[static_cast<std::size_t>(parts->adapter)];
  if (parts->transient) {
    json["server_instance"] = hex_of(key.subspan(4, 4));
    json["object"] = slot_json(parts->object);
    json["adapter"] = slot_json(parts->poa);
  }
  if (const auto names = adapter::names_of_path(parts->path); names && !parts->path.empty())
    json["adapter_path"] = *names;
  if (!parts->id.empty()) json["object_id"] = text_or_hex(parts->id);
}

// Keys of TAO's POA begin with 14 01 0f 00 and flags.
void add_tao(Json& json, ByteView key) {
  json["made_by"] = "TAO";
  const ByteView flags = key.subspan(4, std::min<std::size_t>(3, key.size() - 4));
  if (flags.size() == 3 && (flags[2] == 'P' || flags[2] == 'T'))
    json["kind"] = flags[2] == 'P' ? "persistent" : "transient: ends with the server process that made it";
}

bool starts_with(ByteView key, std::initializer_list<std::uint8_t> start) {
  return key.size() >= start.size() && std::equal(start.begin(), start.end(), key.begin());
}

}  // namespace

Json key_json(ByteView key) {
  Json json = {{"octets", key.size()}};
  if (is_text(key) && !key.empty()) json["text"] = std::string(adapter::text_of(key));
  json["hex"] = hex_of(key);
  if (starts_with(key, {'T', 'K', 1}) && key.size() > 3)
    add_takt(json, key);
  else if (starts_with(key, {0x14, 0x01, 0x0f, 0x00}))
    add_tao(json, key);
  else if (is_text(key) && !key.empty())
    json["kind"] = "plain text, as in corbaloc references";
  return json;
}

}  // namespace takt::command
