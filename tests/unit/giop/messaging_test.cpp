#include <gtest/gtest.h>

#include "giop/header/messaging.h"

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

}  // namespace
}  // namespace takt::giop::test
