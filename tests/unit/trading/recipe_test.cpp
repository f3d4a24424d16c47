// The recipes of proxies.
#include "trading/model/recipe.h"

#include <gtest/gtest.h>

#include <cmath>

namespace takt::trading {
namespace {

using constraint::Value;

std::string made(const std::string& recipe, const std::optional<Value>& value = std::nullopt,
                 std::size_t most = 100) {
  const auto property = [&](const std::string& name) { return name == "p" ? value : std::nullopt; };
  const auto text = expanded(recipe, "a == 1", property, most);
  return text ? *text : "refused: " + text.error();
}

TEST(Recipe, ReplacesWhatFollowsADollar) {
  EXPECT_EQ(made(""), "");
  EXPECT_EQ(made("b == 2"), "b == 2");
  EXPECT_EQ(made("($*) and b == 2"), "(a == 1) and b == 2");
  EXPECT_EQ(made("b == '\\$*'"), "b == '$*'");
  EXPECT_EQ(made("b < $(p)", constraint::Integer(7)), "b < 7");
  EXPECT_EQ(made("b < $(p)", constraint::Integer(-7)), "b < (-7)");
  EXPECT_EQ(made("b < $(p)", 2.5L), "b < 2.5");
  EXPECT_EQ(made("b == $(p)", true), "b == TRUE");
  EXPECT_EQ(made("b == $(p)", constraint::Enumerator{"red", 1}), "b == 'red'");
}

TEST(Recipe, ATextCannotEndItsLiteral) {
  EXPECT_EQ(made("b == $(p)", std::string("x' or 'a' == 'a")), "b == 'x\\' or \\'a\\' == \\'a'");
  EXPECT_EQ(made("b == $(p)", std::string("\\")), "b == '\\\\'");
}

TEST(Recipe, IsRefused) {
  for (const char* text : {"$", "$p", "$(p", "$()", "$(q)", "\\"})
    EXPECT_EQ(made(text).substr(0, 8), "refused:") << text;
  EXPECT_EQ(made("$(p)", constraint::Compound{}).substr(0, 8), "refused:");
  EXPECT_EQ(made("$(p)", static_cast<long double>(NAN)).substr(0, 8), "refused:");
  EXPECT_EQ(made("$*$*$*", {}, 10), "refused: the constraint is too long");
}

}  // namespace
}  // namespace takt::trading
