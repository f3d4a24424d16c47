#include "syntax/lexer.h"

#include <gtest/gtest.h>

namespace takt::idl {
namespace {

struct Lexed {
  explicit Lexed(std::string source) : text(std::move(source)) {
    Lexer lexer(text, unit, diagnostics);
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next())
      tokens.push_back(token);
  }
  std::string text;
  Unit unit;
  Diagnostics diagnostics;
  std::vector<Token> tokens;
};

TEST(Lexer, TokensHaveAKindAndAPlace) {
  const Lexed lexed("module  M\n{ :: << 1.5 };");
  ASSERT_EQ(lexed.tokens.size(), 8u);
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::identifier);
  EXPECT_EQ(lexed.tokens[1].text, "M");
  EXPECT_EQ(lexed.tokens[1].at.column, 9u);
  EXPECT_TRUE(lexed.tokens[2].is("{"));
  EXPECT_EQ(lexed.tokens[2].at.line, 2u);
  EXPECT_TRUE(lexed.tokens[3].is("::"));
  EXPECT_TRUE(lexed.tokens[4].is("<<"));
  EXPECT_EQ(lexed.tokens[5].kind, TokenKind::floating);
}

TEST(Lexer, IntegersOfEveryBase) {
  const Lexed lexed("0 12 017 0xfF 18446744073709551615");
  ASSERT_EQ(lexed.tokens.size(), 5u);
  const std::uint64_t expected[] = {0, 12, 15, 255, UINT64_MAX};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(lexed.tokens[i].integer == expected[i]) << i;
  EXPECT_FALSE(lexed.diagnostics.failed());
}

TEST(Lexer, AnIntegerOfMoreThan64BitsIsAnError) {
  EXPECT_TRUE(Lexed("18446744073709551616").diagnostics.failed());
  EXPECT_TRUE(Lexed(std::string(5000, '9')).diagnostics.failed());
}

TEST(Lexer, EscapesOfCharactersAndStrings) {
  const Lexed lexed(R"('\n' '\x41' '\101' "a\"b\\" L"\u20ac")");
  ASSERT_EQ(lexed.tokens.size(), 5u);
  EXPECT_EQ(lexed.tokens[0].octets, "\n");
  EXPECT_EQ(lexed.tokens[1].octets, "A");
  EXPECT_EQ(lexed.tokens[2].octets, "A");
  EXPECT_EQ(lexed.tokens[3].octets, "a\"b\\");
  EXPECT_EQ(lexed.tokens[4].wide, U"\u20ac");
  EXPECT_FALSE(lexed.diagnostics.failed());
}

TEST(Lexer, WideLiteralsMayBeUtf8) {
  const Lexed lexed("L\"\xe2\x82\xac\xc3\xa9\" L'\xf0\x9f\x98\x80'");
  ASSERT_EQ(lexed.tokens.size(), 2u);
  EXPECT_EQ(lexed.tokens[0].wide, U"\u20ac\u00e9");
  EXPECT_EQ(lexed.tokens[1].wide, U"\U0001f600");
}

TEST(Lexer, APairOfSurrogatesIsOneCharacter) {
  const Lexed lexed(R"(L"a\ud83d\ude00b" L'\ud83d\ude00')");
  ASSERT_EQ(lexed.tokens.size(), 2u);
  EXPECT_FALSE(lexed.diagnostics.failed());
  EXPECT_EQ(lexed.tokens[0].wide, U"a\U0001f600b");
  EXPECT_EQ(lexed.tokens[1].wide, U"\U0001f600");
  EXPECT_TRUE(Lexed(R"(L'\ud800')").diagnostics.failed());
  EXPECT_TRUE(Lexed(R"(L"\ude00\ud83d")").diagnostics.failed());
  EXPECT_TRUE(Lexed("L\"\xed\xa0\x80\"").diagnostics.failed()) << "half of a pair in UTF-8";
}

TEST(Lexer, AnUnderscoreEscapesAnIdentifier) {
  const Lexed lexed("_module plain");
  ASSERT_EQ(lexed.tokens.size(), 2u);
  EXPECT_EQ(lexed.tokens[0].text, "module");
  EXPECT_TRUE(lexed.tokens[0].escaped);
  EXPECT_FALSE(lexed.tokens[1].escaped);
}

TEST(Lexer, LineMarkersSayWhereThingsComeFrom) {
  const Lexed lexed("#line 1 \"/here/main.idl\"\na\n#line 7 \"other.idl\"\nb\n#line 3 \"/here/main.idl\"\nc");
  ASSERT_EQ(lexed.tokens.size(), 3u);
  ASSERT_EQ(lexed.unit.files.size(), 2u);
  EXPECT_EQ(lexed.unit.files[1].name, "other.idl");
  EXPECT_EQ(lexed.tokens[0].at.file, 0u);
  EXPECT_EQ(lexed.tokens[0].at.line, 1u);
  EXPECT_EQ(lexed.tokens[1].at.file, 1u);
  EXPECT_EQ(lexed.tokens[1].at.line, 7u);
  EXPECT_EQ(lexed.tokens[2].at.file, 0u);
  EXPECT_EQ(lexed.tokens[2].at.line, 3u);
}

TEST(Lexer, PragmasAreTokensAndOtherDirectivesErrors) {
  const Lexed lexed("#pragma prefix \"a\"\n#frob\n");
  ASSERT_EQ(lexed.tokens.size(), 1u);
  EXPECT_EQ(lexed.tokens[0].kind, TokenKind::pragma);
  EXPECT_TRUE(lexed.diagnostics.failed());
}

TEST(Lexer, CommentsAreBlank) {
  const Lexed lexed("a // b\n/* c\n d */ e");
  ASSERT_EQ(lexed.tokens.size(), 2u);
  EXPECT_EQ(lexed.tokens[1].text, "e");
  EXPECT_EQ(lexed.tokens[1].at.line, 3u);
}

}  // namespace
}  // namespace takt::idl
