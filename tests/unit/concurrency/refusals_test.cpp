// Reports of connections that are not served.
#include "concurrency/connections/refusals.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../rooms/rooms.h"

namespace takt::server {
namespace {

TEST(Refusals, WantOfDescriptorsAndAnUnusableListenerAreToldAndNothingElseOfAccepting) {
  const auto rooms = rooms::Rooms::make();
  std::vector<std::string> told;
  rooms->server.report = [&told](LogEvent, const std::string& text) { told.push_back(text); };
  using enum transport::AcceptError;
  for (const auto error : {would_block, exhausted, closed, failed}) report_not_accepted(error, rooms->server);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0].find("out of descriptors (see ulimit -n)"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("accepts no connections any more"), std::string::npos) << told[1];
}

}  // namespace
}  // namespace takt::server
