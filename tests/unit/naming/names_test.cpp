// Stringified names and URLs by the rules of the standard (Naming Service 1.3, 2.4 and 2.5).
#include "naming/model/names.h"

#include <gtest/gtest.h>

namespace takt::naming {
namespace {

CosNaming::Name name(std::initializer_list<std::pair<const char*, const char*>> components) {
  CosNaming::Name name;
  for (const auto& [id, kind] : components) name.push_back({id, kind});
  return name;
}

TEST(Names, RowsOfTheStandard) {
  const std::pair<const char*, CosNaming::Name> rows[] = {
      {"a/b.c/d", name({{"a", ""}, {"b", "c"}, {"d", ""}})},
      {"a\\.b", name({{"a.b", ""}})},
      {"a\\/b", name({{"a/b", ""}})},
      {"a\\\\b.k\\.", name({{"a\\b", "k."}})},
      {"a", name({{"a", ""}})},
      {".k", name({{"", "k"}})},
      {".", name({{"", ""}})},
      {"./.", name({{"", ""}, {"", ""}})},
      {"a b.\xc3\xa9", name({{"a b", "\xc3\xa9"}})},
  };
  for (const auto& [text, expected] : rows) {
    const auto read = name_of(text);
    ASSERT_TRUE(read) << text << ": " << read.error();
    EXPECT_EQ(*read, expected) << text;
    EXPECT_EQ(text_of(expected), text);
  }
}

TEST(Names, WhatIsNone) {
  for (const char* text :
       {"", "/", "a/", "/a", "a//b", "a.b.c", "a.", "a./b", "\\a", "a\\", "..", "a.b/c.d.e"})
    EXPECT_FALSE(name_of(text)) << text;
}

TEST(Names, LimitsAreOfComponentsAndTheirLength) {
  const Limits limits{.component_bytes = 4, .components = 2};
  EXPECT_TRUE(name_of("ab.cd/abcd", limits));
  EXPECT_FALSE(name_of("a/b/c", limits));
  EXPECT_FALSE(name_of("ab.cde", limits));
  EXPECT_NE(fault_of(name({}), limits), "");
  EXPECT_NE(fault_of(name({{"a", ""}, {"b", ""}, {"c", ""}}), limits).find("3 components, of 2"),
            std::string::npos);
  EXPECT_NE(fault_of(name({{"abc", "de"}}), limits).find("5 octets, of 4"), std::string::npos);
}

TEST(Names, KeysTellIdFromKindAndSortById) {
  EXPECT_NE(key_of({"ab", ""}), key_of({"a", "b"}));
  EXPECT_LT(key_of({"a", "z"}), key_of({"a!", ""}));
  for (const CosNaming::NameComponent& each : name({{"", ""}, {"a", ""}, {"", "k"}, {"a.b", "c/d"}})) {
    EXPECT_EQ(component_of(key_of(each)), each);
    std::string buffer = "rest of another key";
    EXPECT_EQ(key_in(buffer, each), key_of(each));
  }
}

TEST(Names, Urls) {
  EXPECT_EQ(url_of(":host", "a/b.c"), "corbaname::host#a/b.c");
  EXPECT_EQ(url_of("iiop:1.2@host:2809,:[::1]:9/key", "a"), "corbaname:iiop:1.2@host:2809,:[::1]:9/key#a");
  EXPECT_EQ(url_of("rir:", "a"), "corbaname:rir:#a");
  EXPECT_EQ(url_of(":host", "a b\\.c<\xc3\xa9>"), "corbaname::host#a%20b%5c.c%3c%c3%a9%3e");
  EXPECT_EQ(url_of("uiop:1.2@host", "a"), "corbaname:uiop:1.2@host#a");
  EXPECT_EQ(url_of("other:x", "a"), "corbaname:other:x#a");
  EXPECT_EQ(url_of("rir:/key", "a"), "corbaname:rir:/key#a");
  EXPECT_EQ(url_of(":host/a%20b", "a"), "corbaname::host/a%20b#a");
}

TEST(Names, UrlsThatAreRefused) {
  for (const char* address : {"",
                              "host",
                              ":",
                              "iiop:",
                              ":host:",
                              ":host:port",
                              ":host:123456",
                              "iiop:12@host",
                              ":host,",
                              "a b:host",
                              "rir:x",
                              "rir:,:host",
                              ":host#",
                              ":host:99999",
                              ":host:0",
                              ":host/a%zz",
                              ":host/a b",
                              ":host/a#b",
                              ":[::1",
                              ":[",
                              "foo:"})
    EXPECT_EQ(url_of(address, "a"), std::unexpected(UrlFault::address)) << address;
  for (const char* text : {"", "a//b", "a."})
    EXPECT_EQ(url_of(":host", text), std::unexpected(UrlFault::name)) << text;
}

}  // namespace
}  // namespace takt::naming
