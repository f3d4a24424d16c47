#include "config/toml_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace takt::toml_parser {
namespace {

TEST(TomlParser, EachKindIsWhatItIsAndNoOther) {
  const auto root = parse(
      "text = 'a'\nnumber = -7\nflag = true\nlist = [1, [2]]\nreal = 1.5\nother = 2026-01-01\n[table]\nx = "
      "1\n");
  ASSERT_TRUE(root) << root.error().text;
  EXPECT_EQ(*find(*root, "text")->as_text(), "a");
  EXPECT_EQ(*find(*root, "number")->as_number(), -7);
  EXPECT_TRUE(*find(*root, "flag")->as_flag());
  const TomlNode::List& list = *find(*root, "list")->as_list();
  EXPECT_EQ(*list.at(0).as_number(), 1);
  EXPECT_EQ(*list.at(1).as_list()->at(0).as_number(), 2);
  EXPECT_EQ(*find(*find(*root, "table")->as_table(), "x")->as_number(), 1);
  EXPECT_EQ(*find(*root, "real")->as_real(), 1.5);
  EXPECT_EQ(find(*root, "real")->as_number(), nullptr);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(find(*root, "other")->value));
  EXPECT_EQ(find(*root, "text")->as_number(), nullptr);
  EXPECT_EQ(find(*root, "nothing"), nullptr);
}

TEST(TomlParser, EntriesAreByNameAndSayWhereTheyAre) {
  const auto root = parse("b = 1\n\n  a = 'x'\n");
  ASSERT_TRUE(root && root->size() == 2);
  EXPECT_EQ(root->front().key, "a");
  EXPECT_EQ(root->front().key_at, (TextPosition{3, 3}));
  EXPECT_EQ(root->front().node.at, (TextPosition{3, 7}));
}

TEST(TomlParser, ProblemsSayWhereTheyAre) {
  const auto wrong = parse("a = 1\nb = \n");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().text_in("x.toml").starts_with("x.toml:2:")) << wrong.error().text_in("x.toml");
  EXPECT_EQ(parse("[\n").error().text_in("x.toml"),
            "x.toml: is not TOML; is there a bracket without a name, or a value cut off?");
}

TEST(TomlParser, ThereIsALimitToTablesInTables) {
  const auto dotted = [](int levels) {
    std::string text;
    for (int i = 1; i < levels; ++i) text += "a.";
    return text + "a = 1\n";
  };
  EXPECT_TRUE(parse(dotted(1000)));
  for (const int levels : {1001, 20'000, 500'000})
    EXPECT_EQ(parse(dotted(levels)).error().text, "tables are nested deeper than 1000 levels");
}

}  // namespace
}  // namespace takt::toml_parser
