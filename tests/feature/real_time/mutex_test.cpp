// RTCORBA::Mutex and priority inheritance.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <latch>
#include <sstream>

#include "probe_servant.h"

namespace real_time {
namespace {

using namespace std::chrono_literals;

TEST(RtMutex, TryLockWaitsAsLongAsItMay) {
  TwoOrbs orbs;
  const auto mutex = orbs.rt->create_mutex();
  mutex->lock();
  in_a_thread([&] {
    EXPECT_FALSE(mutex->try_lock(0));
    const auto before = std::chrono::steady_clock::now();
    EXPECT_FALSE(mutex->try_lock(500'000));  // 50 ms
    EXPECT_GE(std::chrono::steady_clock::now() - before, 50ms);
  });
  mutex->unlock();
  EXPECT_TRUE(mutex->try_lock(0));
  mutex->unlock();
}

TEST(RtMutex, OnlyItsOwnerUnlocksItAndLocksItOnce) {
  TwoOrbs orbs;
  const auto mutex = orbs.rt->create_mutex();
  EXPECT_THROW(mutex->unlock(), CORBA::BAD_INV_ORDER);
  mutex->lock();
  EXPECT_THROW(mutex->lock(), CORBA::BAD_INV_ORDER);
  EXPECT_FALSE(mutex->try_lock(10'000));
  in_a_thread([&] {
    EXPECT_THROW(mutex->unlock(), CORBA::BAD_INV_ORDER);
    EXPECT_FALSE(mutex->try_lock(0));
  });
  mutex->unlock();
  in_a_thread([&] {
    EXPECT_TRUE(mutex->try_lock(10'000));
    EXPECT_THROW(mutex->lock(), CORBA::BAD_INV_ORDER);
    mutex->unlock();
  });
}

// As the system shows it, including inherited priority: -1 - priority for real-time threads.
int effective_priority(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 2));
  std::string field;
  for (int i = 3; i <= 18; ++i) fields >> field;
  return -1 - std::stoi(field);
}

TEST(RtMutex, ItsOwnerInheritsThePriorityOfWhoWaits) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto mutex = orbs.rt->create_mutex();
  std::latch locked(1), seen(1);
  pid_t owner = 0;
  std::thread low([&] {
    orbs.current->the_priority(5);
    owner = static_cast<pid_t>(::syscall(SYS_gettid));
    mutex->lock();
    locked.count_down();
    seen.wait();
    mutex->unlock();
  });
  locked.wait();
  EXPECT_EQ(effective_priority(owner), 5);
  std::thread high([&] {
    orbs.current->the_priority(40);
    mutex->lock();
    mutex->unlock();
  });
  const auto give_up = std::chrono::steady_clock::now() + 5s;
  while (effective_priority(owner) != 40 && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(effective_priority(owner), 40);
  seen.count_down();
  low.join();
  high.join();
}

}  // namespace
}  // namespace real_time
