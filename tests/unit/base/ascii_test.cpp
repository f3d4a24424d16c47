#include "base/ascii.h"

#include <gtest/gtest.h>

namespace takt {
namespace {

TEST(Ascii, HasACaseForItsLettersAlone) {
  EXPECT_TRUE(equal_ignoring_case("ListenEndpoints", "listenendpointS"));
  EXPECT_FALSE(equal_ignoring_case("Listen", "Listens"));
  EXPECT_FALSE(equal_ignoring_case("@[", "`{")) << "the characters beside the letters";
  EXPECT_FALSE(equal_ignoring_case("\xc4", "\xe4")) << "a letter of ISO 8859-1";
  EXPECT_TRUE(equal_ignoring_case("", ""));
}

}  // namespace
}  // namespace takt
