#include <gtest/gtest.h>

#include "giop/fragments/fragment_parts.h"
#include "giop/messaging.h"

namespace takt::giop::test {
namespace {

TEST(Messaging, TheLongestListOfMethodsIsKeptWhole) {
  const std::string longest(MethodNames::longest, 'm');
  EXPECT_EQ(MethodNames(longest).text(), longest);
  EXPECT_EQ(MethodNames("").text(), "");
  EXPECT_EQ(MethodNames("zlib,lz4"), MethodNames("zlib,lz4"));
  EXPECT_FALSE(MethodNames("zlib") == MethodNames("zlib,"));
}

TEST(Messaging, ItsTextSaysInWhatItDiffersFromGiop) {
  EXPECT_EQ(to_text(Messaging::giop), "");
  EXPECT_EQ(to_text(Messaging::lite), " lite");
  Messaging compressed = Messaging::lite;
  compressed.compression = true;
  compressed.methods = MethodNames("zlib");
  EXPECT_EQ(to_text(compressed), " lite compressed zlib");
  EXPECT_FALSE(compressed == Messaging::lite);
}

// They are all there, so nothing is to be waited for.
TEST(FragmentParts, NothingArrivesLater) {
  const std::vector<std::uint8_t> octets(20);
  FragmentParts parts(octets, {16});
  std::uint8_t octet;
  EXPECT_FALSE(parts.read_exact({&octet, 1}));
  EXPECT_TRUE(parts.more(1).empty());
  EXPECT_EQ(parts.first_bytes(), 16u);
  EXPECT_EQ(parts.octets().data(), octets.data());
}

}  // namespace
}  // namespace takt::giop::test
