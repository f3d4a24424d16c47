// Decoding by the classic mapping: the memory that hostile octets may take, and long doubles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
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

}  // namespace
}  // namespace takt::classic
