// Programs that do not choose tracing.
#include <gtest/gtest.h>

#include "make_orb.h"

TEST(WithoutTracing, TheOptionIsRefusedAndNamesThePart) {
  try {
    feature::make_orb({"-ORBTracing", "0.5"}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_TRUE(
        refused.detail().starts_with("option -ORBTracing: this program does without takt::add_tracing(); "))
        << refused.detail();
    EXPECT_NE(refused.detail().find("takt::add_all(parts)"), std::string::npos) << refused.detail();
  }
}

TEST(WithoutTracing, TheWordOffNeedsNoPart) { feature::make_orb({"-ORBTracing", "off"}, "off")->destroy(); }
