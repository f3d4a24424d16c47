// Programs that do not choose reflection.
#include <gtest/gtest.h>

#include "../make_orb.h"

TEST(WithoutReflection, TheOptionIsRefusedAndNamesThePart) {
  try {
    feature::make_orb({"-ORBReflection", "on"}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_TRUE(refused.detail().starts_with(
        "option -ORBReflection: this program does without takt::add_reflection(); "))
        << refused.detail();
    EXPECT_NE(refused.detail().find("takt::add_all(parts)"), std::string::npos) << refused.detail();
  }
}

TEST(WithoutReflection, TheValueOffNeedsNoPart) {
  feature::make_orb({"-ORBReflection", "off"}, "off")->destroy();
}
