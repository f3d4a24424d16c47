// Programs that do not choose the admin object.
#include <gtest/gtest.h>

#include "../make_orb.h"

TEST(WithoutAdmin, TheOptionIsRefusedAndNamesThePart) {
  try {
    feature::make_orb({"-ORBAdmin", "on"}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_EQ(refused.detail(), "option -ORBAdmin: this program does without takt::add_admin()");
  }
}

TEST(WithoutAdmin, TheWordOffNeedsNoPart) { feature::make_orb({"-ORBAdmin", "off"}, "off")->destroy(); }
