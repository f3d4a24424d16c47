#include "os/memory/memory.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "memory_probe.h"
#include "threads/thread.h"

namespace takt::os {
namespace {

struct Outcome {
  int error = 0;
  long faults = -1;  // when using `deep` octets of stack
};

Outcome in_a_thread(std::size_t backed_bytes) {
  Outcome outcome;
  auto thread = Thread::start({.stack_bytes = 64 * page}, [&] {
    if (backed_bytes > 0) outcome.error = back_stack(backed_bytes);
    outcome.faults = faults_of_deep_use();
  });
  if (thread) thread->join();
  return outcome;
}

TEST(BackStack, IsNotBackedByItself) {
  REQUIRE_OWN_MEMORY();
  EXPECT_GE(in_a_thread(0).faults, 20);
}

TEST(BackStack, SparesTheFaultsOfItsUse) {
  REQUIRE_OWN_MEMORY();
  const Outcome outcome = in_a_thread(deep + 4 * page);
  if (outcome.error == EINVAL) GTEST_SKIP() << "needs Linux 5.14";
  EXPECT_EQ(outcome.error, 0);
  EXPECT_EQ(outcome.faults, 0);
}

TEST(BackStack, BacksNoMoreThanThereIs) {
  REQUIRE_OWN_MEMORY();
  const Outcome outcome = in_a_thread(std::size_t{1} << 40);
  if (outcome.error == EINVAL) GTEST_SKIP() << "needs Linux 5.14";
  EXPECT_EQ(outcome.error, 0);
}

TEST(LockMemory, HoldsForWhatIsMapped) {
  REQUIRE_OWN_MEMORY();
  const long before = locked_kib();
  if (const int error = lock_memory()) {
    EXPECT_EQ(error, EPERM);
    GTEST_SKIP() << "locking memory needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK";
  }
  const long now = locked_kib();
  ::munlockall();
  EXPECT_EQ(before, 0);
  EXPECT_GT(now, 0);
}

}  // namespace
}  // namespace takt::os
