// The workload of every peer: cube, the payloads, and the digest of received data.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

inline constexpr std::size_t elements = 1024;  // in send_structs and send_longs

struct BinStruct {
  std::int16_t s;
  char c;
  std::int32_t l;
  std::uint8_t o;
  double d;
};
static_assert(sizeof(BinStruct) == 24, "the native layout is the CDR layout");

constexpr std::uint8_t cube(std::uint8_t x) { return static_cast<std::uint8_t>(x * x * x); }
// Wraps instead of overflowing.
constexpr std::int32_t cube(std::int32_t x) {
  const auto n = static_cast<std::uint32_t>(x);
  return static_cast<std::int32_t>(n * n * n);
}
constexpr std::int16_t cube(std::int16_t x) { return static_cast<std::int16_t>(cube(std::int32_t{x})); }
// Cubes each number; the character is unchanged.
constexpr BinStruct cube(const BinStruct& x) {
  return {cube(x.s), x.c, cube(x.l), cube(x.o), x.d * x.d * x.d};
}
constexpr bool operator==(const BinStruct& a, const BinStruct& b) {
  return a.s == b.s && a.c == b.c && a.l == b.l && a.o == b.o && a.d == b.d;
}

inline void check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

std::vector<std::uint8_t> make_octets(std::size_t size);
std::vector<std::int32_t> make_longs(std::size_t count);
std::vector<BinStruct> make_structs();  // `elements` structs
std::string make_string();

constexpr BinStruct make_struct(int n) {
  return {static_cast<std::int16_t>(n), static_cast<char>(n & 127), n * 1009, static_cast<std::uint8_t>(n),
          n * 0.5};
}

// Octets arrive as one block in every peer, so the digest reads only both ends. A sequence of numbers or
// structs is read in full, which makes a peer that decodes lazily pay for its decoding.
inline std::uint32_t digest_octets(const std::uint8_t* data, std::size_t size) {
  return static_cast<std::uint32_t>(size) + (size ? data[0] + data[size - 1] * 3u : 0u);
}
inline std::uint32_t digest_struct(int s, int c, std::int32_t l, unsigned o, double d) {
  return static_cast<std::uint32_t>(s) + static_cast<std::uint32_t>(c) * 3u + static_cast<std::uint32_t>(l) +
         o + static_cast<std::uint32_t>(d);
}
template <class Range>
std::uint32_t digest_longs(const Range& longs) {
  std::uint32_t sum = 0;
  for (auto value : longs) sum += static_cast<std::uint32_t>(value);
  return sum;
}
template <class Range>
std::uint32_t digest_structs(const Range& structs) {
  std::uint32_t sum = 0;
  for (const auto& x : structs) sum += digest_struct(x.s, x.c, x.l, x.o, x.d);
  return sum;
}

// The state behind a servant: a digest of all received data, shared by all threads.
class Sink {
 public:
  void add(std::uint32_t digest) { total_.fetch_add(digest, std::memory_order_relaxed); }
  std::uint32_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> total_{0};
};

}  // namespace bench
