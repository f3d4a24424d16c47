// Ids that are known beforehand, with a hash that has no collisions among them.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace takt {

// A fixed set of ids; each has a place of its own in [0, places()). Finding one costs the same for ten ids or
// a million: its hash leads to a displacement, and both together to its place (hash and displace). Made by
// the tool takt-idtable at compile time, or by make_id_table(). Copies share the table, which never changes;
// any thread.
class IdTable {
 public:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  // What of an id is hashed, so that long ids cost no more than short ones: its length and eight octets at
  // either end, behind the first so many and before the last so many, where this tells all ids of the table
  // apart. Ids that are too short for that are hashed as a whole.
  struct Window {
    std::uint32_t first = 0, last = 0;
    std::uint32_t shortest = 8;  // of the ids that have it; whole: all are hashed as a whole
  };
  static constexpr std::uint32_t whole = 0xffffffff;

  // What takt-idtable writes: `ends` has where each place's id ends in `octets`, which lives as long as
  // `owner`, or for ever. An empty id: nobody is at that place.
  struct Parts {
    std::uint64_t seed;
    Window window;
    std::span<const std::uint32_t> displacements;
    std::span<const std::uint32_t> ends;
    std::string_view octets;
  };
  constexpr IdTable() = default;
  explicit IdTable(const Parts& parts, std::shared_ptr<const void> owner = nullptr)
      : parts_(parts), owner_(std::move(owner)) {}

  std::uint32_t places() const { return static_cast<std::uint32_t>(parts_.ends.size()); }
  // The only place where that id can be; another id may be there. `nowhere` of an empty table.
  std::uint32_t place_of(std::string_view id) const {
    if (parts_.ends.empty()) return nowhere;
    const std::uint64_t hash = hash_of(id, parts_.seed, parts_.window);
    return place_in(hash, parts_.displacements[bucket_in(hash, parts_.displacements.size())],
                    parts_.ends.size());
  }
  // The id at a place below places().
  std::string_view at(std::uint32_t place) const {
    const std::uint32_t begin = place == 0 ? 0 : parts_.ends[place - 1];
    return parts_.octets.substr(begin, parts_.ends[place] - begin);
  }
  bool contains(std::string_view id) const;
  const Parts& parts() const { return parts_; }
  // Whether both are copies of one table.
  bool is(const IdTable& other) const { return parts_.octets.data() == other.parts_.octets.data(); }

  // The functions that a table is made with; the tool and the program must agree on them.
  static std::uint64_t hash_of(std::string_view id, std::uint64_t seed, const Window& window) {
    if (id.size() < window.shortest) [[unlikely]]
      return hash_of_all(id, seed);
    const Sample sample = sample_of(id, window);
    return folded(sample.first ^ seed, sample.last);
  }
  // All that hash_of() knows of an id that is long enough.
  struct Sample {
    std::uint64_t first, last;
    friend auto operator<=>(const Sample&, const Sample&) = default;
  };
  static Sample sample_of(std::string_view id, const Window& window) {
    return {word(id.data() + window.first),
            word(id.data() + id.size() - 8 - window.last) ^ id.size() * 0x9e3779b97f4a7c15};
  }
  static std::size_t bucket_in(std::uint64_t hash, std::size_t buckets) {
    return static_cast<std::size_t>((hash >> 32) * buckets >> 32);
  }
  static std::uint32_t place_in(std::uint64_t hash, std::uint32_t displacement, std::size_t places) {
    const std::uint64_t moved = (hash ^ displacement) * 0xbf58476d1ce4e5b9 >> 32;
    return static_cast<std::uint32_t>(moved * places >> 32);
  }
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 32);
  }

 private:
  static std::uint64_t hash_of_all(std::string_view id, std::uint64_t seed);
  // Both halves of the product.
  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    __extension__ typedef unsigned __int128 Wide;  // NOLINT: what has no name in the standard
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  // Little-endian on every machine, so that a table fits wherever it is compiled.
  static std::uint64_t word(const char* octets) {
    std::uint64_t value;
    std::memcpy(&value, octets, sizeof value);
    return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
  }

  Parts parts_{};
  std::shared_ptr<const void> owner_;
};

// Of any number of different ids, none of them empty; takes about a microsecond for each. BAD_PARAM for ids
// that are empty or there twice, IMP_LIMIT for more than 2^27 or 4 GiB of them.
IdTable make_id_table(std::span<const std::string_view> ids);

}  // namespace takt
