// Decoding by the classic mapping: the memory that hostile octets may take, and long doubles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/codec.h>

#include "classic/bridge/runtime.h"
#include "wire.h"

namespace {

thread_local std::size_t allocated_bytes = 0;

void* allocate(std::size_t bytes) {
  allocated_bytes += bytes;
  if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace takt::classic {
namespace {

constexpr std::size_t KiB = 1024;

std::vector<std::uint8_t> octets_of(const GatherBuffer& buffer) {
  std::vector<std::uint8_t> octets;
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  for (const ByteView piece : pieces) octets.insert(octets.end(), piece.begin(), piece.end());
  return octets;
}

// A count, then zeros.
std::vector<std::uint8_t> counted(std::uint32_t count, std::size_t size) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  out.put(count);
  std::vector<std::uint8_t> octets = octets_of(buffer);
  octets.resize(size);
  return octets;
}

template <class Read>
std::size_t memory_taken(const std::vector<std::uint8_t>& octets, Read read) {
  cdr::Decoder in(octets);
  const std::size_t before = allocated_bytes;
  read(reader(in));
  return allocated_bytes - before;
}

TEST(Memory, FollowsTheOctetsAndNotTheCount) {
  const auto octets = counted(60'000, 64 * KiB);
  EXPECT_LT(memory_taken(octets, read_records), 1024 * KiB);
}

TEST(Memory, OfABoundedSequenceFollowsItsLength) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  constexpr std::uint32_t rows = 200;
  out.put(rows);
  for (std::uint32_t i = 0; i < rows; ++i) {
    out.put(std::uint32_t{1});
    out.put(std::uint8_t{7});
  }
  std::size_t length = 0;
  EXPECT_LT(memory_taken(octets_of(buffer), [&](Reader& in) { length = read_rows(in); }), 64 * KiB);
  EXPECT_EQ(length, rows);
}

bool is_refused(const std::vector<std::uint8_t>& octets, bool& is_nil) {
  cdr::Decoder in(octets);
  is_nil = read_abstract(reader(in));
  return !in.ok();
}
TEST(AbstractReferences, AreNilAfterOctetsThatAreNone) {
  bool is_nil = false;
  EXPECT_FALSE(is_refused({0, 0, 0, 0, 0, 0, 0, 0}, is_nil) || !is_nil);  // a null value
  for (const std::vector<std::uint8_t>& octets : {
           std::vector<std::uint8_t>{},
           {2, 0, 0, 0, 0, 0, 0, 0},              // no boolean
           {0, 0, 0, 0, 0x7f, 0, 0, 0},           // no value
           {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},  // points to nothing
           {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},  // a reference of 4 GiB
           {1, 0, 0, 0},                          // no reference
       }) {
    EXPECT_TRUE(is_refused(octets, is_nil));
    EXPECT_TRUE(is_nil);
  }
}

TEST(FixedNumbers, AreZeroAfterOctetsThatAreNone) {
  for (const std::vector<std::uint8_t>& octets : {
           std::vector<std::uint8_t>{},
           {0x01, 0x23},        // too short
           {0x0a, 0x23, 0x4c},  // a digit above 9
           {0x01, 0x23, 0x4f},  // no sign
           {0x11, 0x23, 0x4c},  // a digit too many
       }) {
    cdr::Decoder in(octets);
    EXPECT_STREQ(read_fixed_number(reader(in)), "0");
    EXPECT_FALSE(in.ok());
  }
  const std::vector<std::uint8_t> good{0x01, 0x23, 0x4d};
  cdr::Decoder in(good);
  EXPECT_STREQ(read_fixed_number(reader(in)), "-12.34");
  EXPECT_TRUE(in.ok());
}

TEST(BoundsOfStrings, CountCharacters) {
  const cdr::CodeSets latin{cdr::CodeSetId::iso_8859_1, cdr::CodeSetId::utf_16};
  const cdr::CodeSets unicode{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16};
  for (const cdr::CodeSets* sets : {&latin, &unicode}) {
    cdr::Format format;
    format.code_sets = sets;
    GatherBuffer good, bad;
    cdr::Encoder out(good, format), too_long(bad, format);
    write_word(writer(out), "M\xc3\xbcll");
    const auto octets = octets_of(good);
    EXPECT_EQ(octets.size(), 4u + (sets == &latin ? 5 : 6));
    cdr::Decoder in(octets, 0, format);
    EXPECT_STREQ(read_word(reader(in)), "M\xc3\xbcll");
    EXPECT_TRUE(in.ok());
    EXPECT_ANY_THROW(write_word(writer(too_long), "M\xc3\xbclle"));
    too_long.put_string("M\xc3\xbclle");
    const auto five = octets_of(bad);
    cdr::Decoder also(five, 0, format);
    read_word(reader(also));
    EXPECT_EQ(also.error(), cdr::Error::too_long);
  }
}

TEST(LongDoubles, AreAsTheOtherMappingWritesThem) {
  const std::vector<long double> numbers{0, 1, -2.5L, 1.0L / 3, 1e300L};
  GatherBuffer classic, other;
  cdr::Encoder by_classic(classic), by_other(other);
  write_long_doubles(writer(by_classic), numbers.data(), numbers.size());
  cdr::Codec<std::vector<long double>>::write(by_other, numbers);
  const auto octets = octets_of(classic);
  EXPECT_EQ(octets, octets_of(other));
  cdr::Decoder in(octets);
  std::vector<long double> read(numbers.size());
  ASSERT_TRUE(read_long_doubles(reader(in), read.data(), read.size()));
  EXPECT_EQ(read, numbers);
}

// The error of reading three texts, of which the last is `last` and the others are empty.
std::optional<cdr::Error> error_of(std::string_view last) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  for (const std::string_view text : {std::string_view(), std::string_view(), last}) out.put_string(text);
  const auto octets = octets_of(buffer);
  cdr::Decoder in(octets);
  read_codes(reader(in));
  return in.ok() ? std::nullopt : std::optional(in.error());
}

TEST(BoundedStrings, AreCheckedInArraysToo) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  EXPECT_TRUE(write_codes(writer(out), "12345"));
  EXPECT_FALSE(write_codes(writer(out), "123456"));
  EXPECT_TRUE(write_wide_codes(writer(out), L"12"));
  EXPECT_FALSE(write_wide_codes(writer(out), L"123"));
  EXPECT_EQ(error_of("12345"), std::nullopt);
  EXPECT_EQ(error_of("123456"), cdr::Error::too_long);
}

}  // namespace
}  // namespace takt::classic
