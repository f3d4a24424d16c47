#include "reference/text/stringified_name.h"

#include <gtest/gtest.h>

namespace takt::reference {
namespace {

using Name = std::vector<NameComponent>;

TEST(StringifiedName, ReadsComponents) {
  EXPECT_EQ(parse_name("a/b.c/d"), (Name{{"a", ""}, {"b", "c"}, {"d", ""}}));
  EXPECT_EQ(parse_name("a\\.b\\/c\\\\d"), (Name{{"a.b/c\\d", ""}}));
  EXPECT_EQ(parse_name(".k"), (Name{{"", "k"}}));
  EXPECT_EQ(parse_name("."), (Name{{"", ""}}));
  EXPECT_EQ(parse_name("a.b\\.c"), (Name{{"a", "b.c"}}));
}

TEST(StringifiedName, SaysWhatIsWrong) {
  EXPECT_EQ(parse_name("").error(), NameError::empty);
  EXPECT_EQ(parse_name("a//b").error(), NameError::empty_component);
  EXPECT_EQ(parse_name("/a").error(), NameError::empty_component);
  EXPECT_EQ(parse_name("a/").error(), NameError::empty_component);
  EXPECT_EQ(parse_name("a.b.c").error(), NameError::second_dot);
  EXPECT_EQ(parse_name("a.").error(), NameError::trailing_dot);
  EXPECT_EQ(parse_name("a\\b").error(), NameError::escape);
  EXPECT_EQ(parse_name("a\\").error(), NameError::escape);
}

TEST(StringifiedName, GoesAndComesBack) {
  for (const char* text : {"a", "a/b.c/d", ".k", ".", "a\\.b\\/c\\\\d.e\\.f", "./."})
    EXPECT_EQ(name_to_text(*parse_name(text)), text);
}

}  // namespace
}  // namespace takt::reference
