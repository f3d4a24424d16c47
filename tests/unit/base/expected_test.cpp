// Expected: a value, or an error.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <takt/base/expected.h>

namespace takt {

using Number = Expected<int, std::string>;

TEST(Expected, IsAValue) {
  const Number number = 5;
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 5);
}

TEST(Expected, IsAReason) {
  Number number = Unexpected(std::string("none"));
  EXPECT_FALSE(number.has_value());
  EXPECT_EQ(number.error(), "none");
  EXPECT_THROW((void)number.value(), std::bad_variant_access);
  number = Unexpected("nothing at all");
  EXPECT_EQ(number.error(), "nothing at all");
}

TEST(Expected, MayBeOfOneType) {
  using Text = Expected<std::string, std::string>;
  EXPECT_TRUE(Text("yes"));
  EXPECT_FALSE(Text(Unexpected("no")));
}

TEST(Expected, HoldsWhatCanOnlyBeMoved) {
  Expected<std::unique_ptr<int>, int> owned = std::make_unique<int>(7);
  EXPECT_EQ(**owned, 7);
  EXPECT_EQ(*std::move(owned).value(), 7);
}

TEST(Expected, TakesThoseOfTheStandard) {
  EXPECT_EQ(Number(std::expected<short, const char*>(short{3})).value(), 3);
  EXPECT_EQ(Number(std::expected<short, const char*>(std::unexpected("no"))).error(), "no");
  EXPECT_EQ(Number(std::unexpected("never")).error(), "never");
}

}  // namespace takt
