// Programs that do not choose the recorder.
#include <gtest/gtest.h>

#include "make_orb.h"

TEST(WithoutRecorder, TheOptionIsRefusedAndNamesThePart) {
  try {
    feature::make_orb({"-ORBRecorder", "1MiB"}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_TRUE(
        refused.detail().starts_with("option -ORBRecorder: this program does without takt::add_recorder(); "))
        << refused.detail();
    EXPECT_NE(refused.detail().find("takt::add_all(parts)"), std::string::npos) << refused.detail();
  }
}

TEST(WithoutRecorder, ASizeOfZeroNeedsNoPart) { feature::make_orb({"-ORBRecorder", "0"}, "off")->destroy(); }
