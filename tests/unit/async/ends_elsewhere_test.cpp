// The thread that destroys objects whose end may wait.
#include "async/deferred/ends_elsewhere.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace takt::async {
namespace {

struct Object {
  explicit Object(std::promise<std::thread::id>& ended) : ended(ended) {}
  ~Object() { ended.set_value(std::this_thread::get_id()); }
  std::promise<std::thread::id>& ended;
};

// The thread that destroyed the object, whose last reference a thread of its own has dropped; and that
// thread.
std::pair<std::thread::id, std::thread::id> destroyed(bool prompt) {
  std::promise<std::thread::id> ended;
  auto future = ended.get_future();
  auto object = ends_elsewhere(std::make_shared<Object>(ended));
  std::thread dropping([last = std::move(object), prompt]() mutable {
    if (prompt) PromptThread::mark();
    last.reset();
  });
  const auto id = dropping.get_id();
  dropping.join();
  EXPECT_EQ(future.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  return {future.get(), id};
}

TEST(EndsElsewhere, APromptThreadDoesNotWaitForTheEndOfWhatItHeldLast) {
  const auto [destroyer, dropper] = destroyed(true);
  EXPECT_NE(destroyer, dropper);
}

TEST(EndsElsewhere, AnyOtherThreadDestroysItsObjectsItself) {
  const auto [destroyer, dropper] = destroyed(false);
  EXPECT_EQ(destroyer, dropper);
}

}  // namespace
}  // namespace takt::async
