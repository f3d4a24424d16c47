#include "lookup/keys/object_key.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include <takt/lookup/lookup_policy.h>

namespace takt::adapter {

namespace {

constexpr std::size_t magic_size = 4;  // including the kind
constexpr std::uint8_t sealed = 'S';

struct Kind {
  std::uint8_t letter;
  bool transient;
  Lookup adapter;
};
constexpr Kind kinds[] = {
    {'T', true, Lookup::delayered}, {'A', true, Lookup::active},   {'l', true, Lookup::linear},
    {'h', true, Lookup::dynamic},   {'g', true, Lookup::perfect},  {'L', false, Lookup::linear},
    {'P', false, Lookup::dynamic},  {'G', false, Lookup::perfect},
};

bool has_path(const Kind& kind) {
  return kind.adapter != Lookup::delayered && kind.adapter != Lookup::active;
}

// The kind of a key in this format.
std::optional<std::uint8_t> letter_of(ByteView key) {
  if (key.size() < magic_size || key[0] != 'T' || key[1] != 'K' || key[2] != 1) return std::nullopt;
  return key[3];
}

void append_u32(ObjectId& octets, std::uint32_t value) {
  octets.resize(octets.size() + 4);
  put_u32(octets.data() + octets.size() - 4, value);
}
void append(ObjectId& octets, ByteView more) { octets.insert(octets.end(), more.begin(), more.end()); }

// Takes a length and that many octets from the front.
std::optional<ByteView> take_counted(ByteView& from) {
  if (from.size() < 4) return std::nullopt;
  const std::uint32_t length = get_u32(from.data());
  if (length > from.size() - 4) return std::nullopt;
  const ByteView taken = from.subspan(4, length);
  from = from.subspan(4 + std::size_t{length});
  return taken;
}

}  // namespace

KeyFormat::KeyFormat(std::uint32_t instance) : instance_(instance) {
  const auto start_with = [&](std::uint8_t letter) {
    std::uint8_t start[8] = {'T', 'K', 1, letter};
    std::memcpy(start + 4, &instance, sizeof instance);
    return std::bit_cast<std::uint64_t>(start);
  };
  delayered_ = start_with('T');
  active_ = start_with('A');
  perfect_ = start_with('g');
}

void KeyFormat::seal_with(std::unique_ptr<const KeySeal> seal) {
  seal_ = std::move(seal);
  usual_size_ = std::numeric_limits<std::size_t>::max();
}

std::optional<KeyParts> KeyFormat::read(ByteView key) const {
  if (!seal_) return read_inner(key);
  if (letter_of(key) != sealed || key.size() < magic_size + seal_size) return std::nullopt;
  const ByteView inner = key.subspan(magic_size + seal_size);
  if (!seal_->fits(key.subspan<magic_size, seal_size>(), inner)) return std::nullopt;
  return read_inner(inner);
}

std::optional<KeyParts> KeyFormat::read_inner(ByteView key) const {
  const auto letter = letter_of(key);
  const Kind* kind = letter ? std::ranges::find(kinds, *letter, &Kind::letter) : std::end(kinds);
  if (kind == std::end(kinds)) return std::nullopt;
  KeyParts parts;
  parts.transient = kind->transient;
  parts.adapter = kind->adapter;
  ByteView rest = key.subspan(magic_size);
  if (kind->transient) {
    if (key.size() < transient_key_size || std::memcmp(rest.data(), &instance_, 4) != 0) return std::nullopt;
    parts.object = object_of(key);
    parts.poa = poa_of(key);
    rest = id_of(key);
  }
  if (has_path(*kind)) {
    const auto path = take_counted(rest);
    if (!path) return std::nullopt;
    parts.path = *path;
  }
  parts.id = rest;
  return parts;
}

ObjectId KeyFormat::make(const KeyParts& parts) const {
  const Kind& kind = *std::ranges::find_if(kinds, [&](const Kind& candidate) {
    return candidate.transient == parts.transient && candidate.adapter == parts.adapter;
  });
  const std::size_t head = seal_ ? magic_size + seal_size : 0;
  ObjectId key(head);
  key.reserve(head + transient_key_size + 4 + parts.path.size() + parts.id.size());
  append(key, ByteView({'T', 'K', 1, kind.letter}));
  if (kind.transient)
    for (const std::uint32_t part :
         {instance_, parts.object.index, parts.object.generation, parts.poa.index, parts.poa.generation})
      append(key, {reinterpret_cast<const std::uint8_t*>(&part), sizeof part});
  if (has_path(kind)) {
    append_u32(key, static_cast<std::uint32_t>(parts.path.size()));
    append(key, parts.path);
  }
  append(key, parts.id);
  if (seal_) {
    std::ranges::copy(std::initializer_list<std::uint8_t>{'T', 'K', 1, sealed}, key.begin());
    const KeySeal::Tag tag = seal_->tag_of(ByteView(key).subspan(head));
    std::ranges::copy(tag, key.begin() + magic_size);
  }
  return key;
}

std::string append_to_path(std::string_view path, std::string_view name) {
  std::uint8_t length[4];
  put_u32(length, static_cast<std::uint32_t>(name.size()));
  return std::string(path).append(reinterpret_cast<const char*>(length), 4).append(name);
}

std::optional<std::vector<std::string>> names_of_path(ByteView path) {
  constexpr std::size_t most_names = 4096;  // deeper than any tree of adapters
  std::vector<std::string> names;
  while (!path.empty()) {
    const auto name = take_counted(path);
    if (!name || names.size() == most_names) return std::nullopt;
    names.emplace_back(text_of(*name));
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

std::string takt::adapter_path(std::initializer_list<std::string_view> names) {
  std::string path;
  for (const std::string_view name : names) path = adapter::append_to_path(path, name);
  return path;
}
