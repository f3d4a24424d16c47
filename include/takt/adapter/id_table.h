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

  // What of an id is hashed, so that long ids cost no more than short ones: its length and the eight octets
  // that begin `back` before its end, where this tells apart all ids of the table that have at least `one`
  // octets. Where it does not, `one` is `whole`, and of ids with at least `two` octets another eight, `front`
  // after its beginning, are hashed as well. What is shorter, or all if `two` is `whole`, is hashed as a
  // whole.
  struct Window {
    std::uint32_t back = 8;
    std::uint32_t front = 0;
    std::uint32_t one = 8;
    std::uint32_t two = whole;
  };
  static constexpr std::uint32_t whole = 0xffffffff;

  // What takt-idtable writes: `ends` has where each place's id ends in `octets`, which lives as long as
  // `owner`, or for ever. An empty id: nobody is at that place.
  struct Parts {
    std::uint64_t seed;  // odd
    Window window;
    std::span<const std::uint64_t> displacements;  // odd, each a factor for the hashes of its bucket
    std::span<const std::uint32_t> ends;
    std::string_view octets;
  };
  constexpr IdTable() = default;
  explicit IdTable(const Parts& parts, std::shared_ptr<const void> owner = nullptr)
      : parts_(parts), owner_(std::move(owner)) {}

  std::uint32_t places() const { return static_cast<std::uint32_t>(parts_.ends.size()); }
  // The only place where that id can be; another id may be there. `nowhere` of an empty table.
  std::uint32_t place_of(std::string_view id) const {
    return parts_.ends.empty() ? nowhere : place_in_full(id);
  }
  // The same of a table that is not empty.
  std::uint32_t place_in_full(std::string_view id) const {
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
    if (id.size() < window.one) [[unlikely]]
      return hash_of_more(id, seed, window);
    return last_of(id, window) * seed;
  }
  // All that hash_of() knows of an id that is long enough for one word, or for two.
  struct Sample {
    std::uint64_t last, first = 0;
    friend auto operator<=>(const Sample&, const Sample&) = default;
  };
  static Sample one_word_of(std::string_view id, const Window& window) { return {last_of(id, window)}; }
  static Sample two_words_of(std::string_view id, const Window& window) {
    return {last_of(id, window), word(id.data() + window.front)};
  }
  // Multiplied, their highest bits depend on all bits: these choose.
  static std::size_t bucket_in(std::uint64_t hash, std::size_t buckets) { return scaled(hash, buckets); }
  static std::uint32_t place_in(std::uint64_t hash, std::uint64_t displacement, std::size_t places) {
    return static_cast<std::uint32_t>(scaled(hash * displacement, places));
  }
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 32);
  }

 private:
  static std::uint64_t hash_of_more(std::string_view id, std::uint64_t seed, const Window& window);
  static std::uint64_t hash_of_all(std::string_view id, std::uint64_t seed);
  static std::uint64_t last_of(std::string_view id, const Window& window) {
    return word(id.data() + id.size() - window.back) + id.size();
  }
  __extension__ typedef unsigned __int128 Wide;  // NOLINT: what has no name in the standard
  // From all of 64 bits to numbers below `range`.
  static std::uint64_t scaled(std::uint64_t value, std::uint64_t range) {
    return static_cast<std::uint64_t>(static_cast<Wide>(value) * range >> 64);
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
