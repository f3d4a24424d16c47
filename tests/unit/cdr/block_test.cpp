// Structs that are copied as blocks have the same encoding as when written member by member.
#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "drawn.h"
#include "octets.h"

namespace takt::cdr::test {
namespace {

template <class... M>
struct Fields;

#define FIELDS(...)                                                            \
  template <class Self, class Visitor>                                         \
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {       \
    return [&](auto& s) -> decltype(auto) { return visit __VA_ARGS__; }(self); \
  }

struct Bin {
  std::int16_t s;
  char c;
  std::int32_t l;
  std::uint8_t o;
  double d;
  FIELDS((s.s, s.c, s.l, s.o, s.d))
  friend bool operator==(const Bin&, const Bin&) = default;
};
struct Tail {
  std::int64_t a;
  std::int8_t b;
  FIELDS((s.a, s.b))
  friend bool operator==(const Tail&, const Tail&) = default;
};
struct NotRepeating {
  std::int8_t a;
  std::int64_t b;
  std::int8_t c;
  FIELDS((s.a, s.b, s.c))
};
struct Flag {
  bool on;
  std::int32_t n;
  FIELDS((s.on, s.n))
};
struct Three {
  std::uint8_t r, g, b;
  FIELDS((s.r, s.g, s.b))
  friend bool operator==(const Three&, const Three&) = default;
};

static_assert(is_block_struct<Bin> && is_block_struct<Tail> && is_block_struct<Three>);
static_assert(!is_block_struct<NotRepeating>);
static_assert(!is_block_struct<Flag>);

template <class T>
Octets one_by_one(const std::vector<T>& elements, std::size_t before) {
  return written(format(native_order), [&](Encoder& encoder) {
    for (std::size_t i = 0; i < before; ++i) encoder.put(std::uint8_t{0xee});
    encoder.put_count(elements.size());
    for (const T& element : elements) T::_fields(element, [&](const auto&... m) { (encoder.put(m), ...); });
  });
}
template <class T>
Octets at_once(const std::vector<T>& elements, std::size_t before) {
  return written(format(native_order), [&](Encoder& encoder) {
    for (std::size_t i = 0; i < before; ++i) encoder.put(std::uint8_t{0xee});
    cdr::write(encoder, elements);
  });
}

// Elements with non-zero padding.
template <class T>
std::vector<T> dirty(std::size_t count, std::uint8_t seed) {
  std::vector<T> elements(count);
  for (T& element : elements) {
    std::memset(static_cast<void*>(&element), seed | 1, sizeof element);
    T::_fields(element, [&](auto&... m) {
      ((m = static_cast<std::decay_t<decltype(m)>>(seed = (seed * 5 + 3) & 0x7f)), ...);
    });
  }
  return elements;
}

template <class T>
void check(std::size_t count, std::size_t before, std::uint8_t seed) {
  const auto elements = dirty<T>(count, seed);
  const Octets expected = one_by_one(elements, before);
  RC_ASSERT(hex(at_once(elements, before)) == hex(expected));
  Decoder decoder(expected, 0, format(native_order));
  decoder.skip(before);
  std::vector<T> back;
  RC_ASSERT(cdr::read(decoder, back));
  RC_ASSERT(back == elements);
  RC_ASSERT(decoder.remaining() == 0u);
}

RC_GTEST_PROP(Block, is_what_member_by_member_writes, ()) {
  const auto count = drawn_up_to(8);
  const auto before = drawn_up_to(16);
  const auto seed = drawn_number<std::uint8_t>();
  check<Bin>(count, before, seed);
  check<Tail>(count, before, seed);
  check<Three>(count, before, seed);
}

TEST(Block, characters_beyond_ascii_are_asked_about) {
  // Without conversion, structs are copied as blocks. To ISO 8859-15, each character is converted, and this
  // one cannot be.
  static constexpr CodeSets other{static_cast<CodeSetId>(0x0001000f), CodeSetId::none};
  std::vector<Bin> elements(4);
  elements[3].c = static_cast<char>(0xe9);
  EXPECT_FALSE(encoded(elements, format(native_order)).empty());
  EXPECT_TRUE(encoded(elements, format(native_order, 2, &other)).empty());
}

}  // namespace
}  // namespace takt::cdr::test
