#include "base/items.h"

#include <gtest/gtest.h>

namespace takt {
namespace {

using Items = std::vector<std::string_view>;

TEST(Items, StandBetweenAnySeparators) {
  EXPECT_EQ(items_of("zlib", ", "), Items{"zlib"});
  EXPECT_EQ(items_of("a,b c", ", "), (Items{"a", "b", "c"}));
  EXPECT_EQ(items_of("a:b,c", ","), (Items{"a:b", "c"}));
}

TEST(Items, AreNeverEmpty) {
  EXPECT_EQ(items_of("", ", "), Items{});
  EXPECT_EQ(items_of(" ,, ", ", "), Items{});
  EXPECT_EQ(items_of(", a,, b ,", ", "), (Items{"a", "b"}));
}

}  // namespace
}  // namespace takt
