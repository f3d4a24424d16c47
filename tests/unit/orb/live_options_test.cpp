// Changing options of a running ORB, tested inside the ORB.
#include "orb/runtime/live_options.h"

#include <gtest/gtest.h>

#include "config/option_values.h"
#include "orb/runtime/runtime.h"
#include "reading.h"

namespace takt::orb {

TEST(LiveOptions, TheLogLevelIsThatOfAllPartsAtOnce) {
  Runtime runtime(read_all({"-ORBLogLevel", "off"}));
  const Settings copy = runtime.settings();
  EXPECT_FALSE(copy.warnings.on());
  runtime.options().set(runtime, "LogLevel", "warning");
  EXPECT_TRUE(copy.warnings.on());
  runtime.options().set(runtime, "LogLevel", "off");
  EXPECT_FALSE(copy.warnings.on());
  Runtime other(read_all({}));
  EXPECT_TRUE(other.settings().warnings.on());
  EXPECT_FALSE(copy.warnings.on());
}

TEST(LiveOptions, LimitsAreThoseOfTheCore) {
  Runtime runtime(read_all({}));
  runtime.options().set(runtime, "MaxOutstandingRequests", "7");
  EXPECT_EQ(runtime.parts().protocol.limits->outstanding_requests, 7u);
  runtime.options().set(runtime, "MaxMessageSize", "1MiB");
  EXPECT_EQ(runtime.parts().protocol.limits->message_bytes, 1024u * 1024);
  EXPECT_EQ(runtime.parts().protocol.limits->fragments_bytes, 1024u * 1024);
  runtime.options().set(runtime, "MaxConnections", "3");
  EXPECT_EQ(runtime.parts().server.options.connections, 3u);
}

TEST(LiveOptions, WhatCanChangeAreOptionsAndHasAnEffect) {
  Runtime runtime(read_all({}));
  for (const Option& option : options())
    if (option.live.how == Live::How::set) {
      EXPECT_NO_THROW(runtime.options().set(runtime, option.name, default_of(option))) << option.name;
    }
  runtime.options().add(runtime, "InitRef", "A=corbaloc::localhost:1/A");
  EXPECT_TRUE(runtime.resolve("A"));
}

TEST(LiveOptions, AllOthersAreRefusedWithAReason) {
  Runtime runtime(read_all({}));
  for (const Option& option : options()) {
    if (option.live.how != Live::How::fixed) continue;
    EXPECT_THROW(runtime.options().set(runtime, option.name, "x"), CORBA::BAD_INV_ORDER) << option.name;
    EXPECT_THROW(runtime.options().add(runtime, option.name, "x"), CORBA::BAD_INV_ORDER) << option.name;
  }
}

}  // namespace takt::orb
