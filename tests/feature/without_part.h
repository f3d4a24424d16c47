// Programs that do without a part of the ORB.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "make_orb.h"

namespace feature {

// Whether ORB_init refuses the option, and names the function that adds the part, such as "add_admin".
inline void expect_refused(const std::string& option, const std::string& value, const std::string& function) {
  try {
    make_orb({option, value}, "without")->destroy();
    FAIL() << "the ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    const std::string detail(refused.detail());
    EXPECT_TRUE(
        detail.starts_with("option " + option + ": this program does without takt::" + function + "(); "))
        << detail;
    EXPECT_TRUE(detail.contains("takt::add_all(parts)")) << detail;
  }
}

// Whether the program does not need the part for this value.
inline void expect_accepted(const std::string& option, const std::string& value) {
  EXPECT_NO_THROW(make_orb({option, value}, "off")->destroy());
}

}  // namespace feature
