// The channel cache of a thread.
#include "client/thread_channels.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "client/channel/failure.h"

namespace takt::client {
namespace {

// Clients choose the priorities of threads that serve them.
TEST(ThreadChannels, NoMorePrioritiesAreRememberedThanAThreadEverNeeds) {
  std::thread serving([] {
    ThreadChannels& mine = ThreadChannels::mine();
    reference::ThreadContext& context = reference::ThreadContext::mine();
    EXPECT_EQ(mine.bindings().size(), 0u);
    for (int round = 0; round < 2; ++round)
      for (giop::Priority priority = 0; priority < 3 * static_cast<int>(BindingSets::most); ++priority) {
        context.use_priority(priority);
        EXPECT_EQ(context.priority(), priority);
        EXPECT_LE(mine.bindings().size(), BindingSets::most);
      }
    context.use_priority(std::nullopt);
    EXPECT_EQ(mine.bindings().size(), BindingSets::most);
  });
  serving.join();
}

TEST(ConnectFailures, NamesTheFirstAddressesAndCountsTheOthers) {
  ConnectFailures why;
  for (int i = 0; i < 10'000; ++i)
    why.note(transport::ConnectError{transport::ConnectError::Phase::connect, 0, std::string(100, 'x')});
  EXPECT_LE(why.tried.size(), 4096u);
  EXPECT_GT(why.unnamed, 9'900u);
  try {
    throw_unreachable(why);
  } catch (const CORBA::TRANSIENT& raised) {
    EXPECT_NE(std::string(raised.what()).find("; and " + std::to_string(why.unnamed) + " others"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace takt::client
