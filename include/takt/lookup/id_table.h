// Perfect hashing of ids that are known in advance.
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

// A fixed set of ids, each with its own slot in [0, places()). A look-up costs the same for ten ids or a
// million: the hash selects a displacement, and both give the slot (hash and displace). Made by the tool
// takt-idtable at compile time, or by make_id_table(). Immutable; copies share the table. Any thread.
class IdTable {
 public:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  // The octets of an id that are hashed, so that long ids cost no more than short ones. For ids of at least
  // `one` octets: the length, and eight octets that begin `back` before the end. If these do not distinguish
  // all ids, `one` is `whole`, and for ids of at least `two` octets eight more are hashed, `front` after the
  // beginning. Shorter ids, or all if `two` is `whole`, are hashed completely.
  struct Window {
    std::uint32_t back = 8;
    std::uint32_t front = 0;
    std::uint32_t one = 8;
    std::uint32_t two = whole;
  };
  static constexpr std::uint32_t whole = 0xffffffff;

  // The output of takt-idtable. `ends` has the end of each slot's id in `octets`, which lives as long as
  // `owner`, or for ever if that is null. An empty id means an empty slot.
  struct Parts {
    std::uint64_t seed;  // odd
    Window window;
    std::span<const std::uint64_t> displacements;  // odd factors, one per bucket
    std::span<const std::uint32_t> ends;
    std::string_view octets;
  };
  constexpr IdTable() = default;
  explicit IdTable(const Parts& parts, std::shared_ptr<const void> owner = nullptr)
      : parts_(parts), owner_(std::move(owner)) {}

  std::uint32_t places() const { return static_cast<std::uint32_t>(parts_.ends.size()); }
  // The only slot where the id can be; it may hold another id. `nowhere` if the table is empty.
  std::uint32_t place_of(std::string_view id) const {
    return parts_.ends.empty() ? nowhere : place_in_full(id);
  }
  // The same; the table must not be empty.
  std::uint32_t place_in_full(std::string_view id) const {
    const std::uint64_t hash = hash_of(id, parts_.seed, parts_.window);
    return place_in(hash, parts_.displacements[bucket_in(hash, parts_.displacements.size())],
                    parts_.ends.size());
  }
  // The id in a slot below places().
  std::string_view at(std::uint32_t place) const {
    const std::uint32_t begin = place == 0 ? 0 : parts_.ends[place - 1];
    return parts_.octets.substr(begin, parts_.ends[place] - begin);
  }
  bool contains(std::string_view id) const;
  const Parts& parts() const { return parts_; }
  // Whether both are copies of the same table.
  bool is(const IdTable& other) const { return parts_.octets.data() == other.parts_.octets.data(); }

  // The functions with which a table is made. The tool and the program must use the same ones.
  static std::uint64_t hash_of(std::string_view id, std::uint64_t seed, const Window& window) {
    if (id.size() < window.one) [[unlikely]]
      return hash_of_more(id, seed, window);
    return last_of(id, window) * seed;
  }
  // Everything that hash_of() uses of an id that is long enough for one word, or for two.
  struct Sample {
    std::uint64_t last, first = 0;
    friend auto operator<=>(const Sample&, const Sample&) = default;
  };
  static Sample one_word_of(std::string_view id, const Window& window) { return {last_of(id, window)}; }
  static Sample two_words_of(std::string_view id, const Window& window) {
    return {last_of(id, window), word(id.data() + window.front)};
  }
  // The highest bits of a product depend on all bits of the factors, so they choose bucket and slot.
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
  __extension__ typedef unsigned __int128 Wide;  // NOLINT: not a standard type
  // Maps 64-bit values to numbers below `range`.
  static std::uint64_t scaled(std::uint64_t value, std::uint64_t range) {
    return static_cast<std::uint64_t>(static_cast<Wide>(value) * range >> 64);
  }
  // Little-endian on every machine, so that tables are portable.
  static std::uint64_t word(const char* octets) {
    std::uint64_t value;
    std::memcpy(&value, octets, sizeof value);
    return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
  }

  Parts parts_{};
  std::shared_ptr<const void> owner_;
};

// Makes a table of distinct, non-empty ids, in about a microsecond per id. Throws BAD_PARAM for an empty or
// duplicate id, IMP_LIMIT above 2^27 ids or 4 GiB.
IdTable make_id_table(std::span<const std::string_view> ids);

}  // namespace takt
