#include "base/numbered_parts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace takt {
namespace {

using Octets = std::vector<std::uint8_t>;

TEST(NumberedParts, AreTakenInTheOrderOfTheirNumbers) {
  NumberedParts parts;
  EXPECT_TRUE(parts.add(2, Octets{5, 6}));
  EXPECT_TRUE(parts.add(0, Octets{1}));
  EXPECT_TRUE(parts.add(1, Octets{2, 3, 4}));
  EXPECT_FALSE(parts.add(1, Octets{9})) << "it is there already";
  EXPECT_EQ(parts.take_all(), (Octets{1, 2, 3, 4, 5, 6}));
}

TEST(NumberedParts, StartAgainAfterTheyWereTaken) {
  NumberedParts parts;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(parts.add(1, Octets{2}));
    EXPECT_TRUE(parts.add(0, Octets{1}));
    EXPECT_EQ(parts.present(), 2u);
    EXPECT_EQ(parts.take_all(), (Octets{1, 2}));
    EXPECT_TRUE(parts.add(0, Octets{7}));
    EXPECT_TRUE(parts.add(1, Octets{8}));
    EXPECT_EQ(parts.take_all(), (Octets{7, 8}));
    EXPECT_EQ(parts.present(), 0u);
    EXPECT_EQ(parts.end(), 0u);
    EXPECT_EQ(parts.octets(), 0u);
  }
}

TEST(NumberedParts, KeepNoOctetsOfThoseThatAreForgotten) {
  NumberedParts parts;
  EXPECT_TRUE(parts.add(0, Octets{1, 2, 3}));
  parts.clear();
  EXPECT_EQ(parts.bytes(), 0u);
  EXPECT_TRUE(parts.add(0, Octets{4}));
  EXPECT_EQ(parts.take_all(), Octets{4});
}

}  // namespace
}  // namespace takt
