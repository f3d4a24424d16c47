// What a thread remembers of its calls.
#include "connection/client/thread_channels.h"

#include <gtest/gtest.h>

#include <thread>

namespace takt::connection {
namespace {

// A thread that serves clients gets the priorities that they choose.
TEST(ThreadChannels, NoMorePrioritiesAreRememberedThanAThreadEverNeeds) {
  std::thread serving([] {
    ThreadChannels& mine = ThreadChannels::mine();
    EXPECT_EQ(mine.kinds(), 0u);
    for (int round = 0; round < 2; ++round)
      for (giop::Priority priority = 0; priority < 3 * static_cast<int>(ThreadChannels::most_kinds);
           ++priority) {
        mine.use_priority(priority);
        EXPECT_EQ(mine.priority(), priority);
        EXPECT_LE(mine.kinds(), ThreadChannels::most_kinds);
      }
    mine.use_priority(std::nullopt);
    EXPECT_EQ(mine.kinds(), ThreadChannels::most_kinds);
  });
  serving.join();
}

}  // namespace
}  // namespace takt::connection
