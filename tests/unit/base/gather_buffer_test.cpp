#include <takt/base/gather_buffer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt {
namespace {

ByteView bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string joined(const GatherBuffer& buffer) {
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  std::string all;
  for (const ByteView piece : pieces) all.append(piece.begin(), piece.end());
  return all;
}

TEST(GatherBuffer, JoinsWhatWasAppended) {
  GatherBuffer buffer;
  buffer.append("one", 3);
  buffer.append("", 0);
  buffer.append("two", 3);
  EXPECT_TRUE(buffer.contiguous());
  EXPECT_EQ(buffer.size(), 6u);
  EXPECT_EQ(joined(buffer), "onetwo");
}

TEST(GatherBuffer, SplicesBorrowedOctetsWhereTheyWereBorrowed) {
  GatherBuffer buffer;
  const std::string middle = "middle", end = "end";
  buffer.append("begin ", 6);
  buffer.borrow(bytes(middle));
  buffer.append(" ", 1);
  buffer.borrow(bytes(end));
  EXPECT_FALSE(buffer.contiguous());
  EXPECT_EQ(buffer.size(), 16u);
  EXPECT_EQ(buffer.owned_size(), 7u);
  EXPECT_EQ(buffer.borrowed_size(), 9u);
  EXPECT_EQ(joined(buffer), "begin middle end");
}

TEST(GatherBuffer, BorrowedOctetsAreNotCopied) {
  GatherBuffer buffer;
  const std::string text = "somebody else's";
  buffer.borrow(bytes(text));
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(static_cast<const void*>(pieces[0].data()), text.data());
}

TEST(GatherBuffer, KeepsWhatItHasBorrowedFromUntilItIsCleared) {
  struct Owner {
    std::shared_ptr<int> witness;
    std::vector<std::uint8_t> octets;
  };
  const auto witness = std::make_shared<int>();
  GatherBuffer buffer;
  {
    Owner owner{witness, std::vector<std::uint8_t>(100'000, 7)};
    buffer.borrow(owner.octets);
    buffer.keep(std::move(owner));
  }
  EXPECT_EQ(witness.use_count(), 2);
  EXPECT_EQ(joined(buffer), std::string(100'000, 7));
  buffer.clear();
  EXPECT_EQ(witness.use_count(), 1);
}

TEST(GatherBuffer, BorrowedOctetsKeepTheirPlaceWhenTheOwnedOnesMove) {
  GatherBuffer buffer(8);
  const std::string borrowed = "|";
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    buffer.append("0123456789", 10);
    buffer.borrow(bytes(borrowed));
    expected += "0123456789|";
  }
  EXPECT_EQ(joined(buffer), expected);
}

TEST(GatherBuffer, GrowsAndKeepsWhatItHas) {
  GatherBuffer buffer(4);
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    const std::string part(static_cast<std::size_t>(i % 37), static_cast<char>('a' + i % 26));
    buffer.append(part.data(), part.size());
    expected += part;
  }
  EXPECT_EQ(joined(buffer), expected);
}

TEST(GatherBuffer, OctetsCountOnceTheCursorHasPassedThem) {
  GatherBuffer buffer;
  buffer.ensure(4);
  std::uint8_t* cursor = buffer.cursor();
  cursor[0] = 'x';
  EXPECT_EQ(buffer.size(), 0u);
  buffer.advance_to(cursor + 1);
  EXPECT_EQ(joined(buffer), "x");
}

TEST(GatherBuffer, KeepsItsMemoryFromMessageToMessage) {
  GatherBuffer buffer(16);
  const std::string message(10000, 'm');
  buffer.append(message.data(), message.size());
  const void* block = buffer.owned();
  buffer.clear();
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_TRUE(buffer.contiguous());
  buffer.append(message.data(), message.size());
  EXPECT_EQ(buffer.owned(), block);
}

TEST(GatherBuffer, IsCopiedFromAnyOctetOn) {
  GatherBuffer buffer(16);
  const std::string borrowed = "borrowed";
  buffer.append("own ", 4);
  buffer.borrow(bytes(borrowed));
  buffer.append(" own", 4);
  const std::string whole = "own borrowed own";
  for (std::size_t from = 0; from <= whole.size() + 1; ++from) {
    const auto copied = buffer.copy(from);
    EXPECT_EQ(std::string(copied.begin(), copied.end()), whole.substr(std::min(from, whole.size()))) << from;
  }
}

TEST(GatherBuffer, GivesBackMemoryBeyondWhatItMayKeep) {
  GatherBuffer buffer(16);
  const std::string message(100000, 'm');
  buffer.append(message.data(), message.size());
  buffer.clear(4096);
  EXPECT_LE(buffer.limit() - buffer.cursor(), 4096);
  buffer.append("again", 5);
  EXPECT_EQ(joined(buffer), "again");
}

}  // namespace
}  // namespace takt
