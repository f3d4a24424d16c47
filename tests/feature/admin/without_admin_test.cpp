// Programs that do not choose the admin object.
#include <gtest/gtest.h>

#include "../make_orb.h"

TEST(WithoutAdmin, TheOptionIsRefusedAndNamesThePart) {
  try {
    feature::make_orb({"-ORBAdmin", "on"}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_TRUE(
        refused.detail().starts_with("option -ORBAdmin: this program does without takt::add_admin(); "))
        << refused.detail();
    EXPECT_NE(refused.detail().find("takt::add_all(parts)"), std::string::npos) << refused.detail();
  }
}

TEST(WithoutAdmin, TheWordOffNeedsNoPart) { feature::make_orb({"-ORBAdmin", "off"}, "off")->destroy(); }
