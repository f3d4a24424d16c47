// Random numbers for identities, in threads and in processes that were forked.
#include "os/process/random_number.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>
#include <vector>

namespace takt::os {
namespace {

TEST(RandomNumbers, DifferWithinAThread) {
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 10000; ++i) numbers.insert(random_number());
  EXPECT_EQ(numbers.size(), 10000u);
}

TEST(RandomNumbers, DifferBetweenThreads) {
  std::vector<std::uint64_t> numbers(8);
  std::vector<std::thread> threads;
  for (auto& number : numbers) threads.emplace_back([&number] { number = random_number(); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), numbers.size());
}

TEST(RandomNumbers, DoNotRepeatInAForkedProcess) {
  (void)random_number();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::uint64_t number = random_number();
    ::_exit(::write(ends[1], &number, sizeof number) == sizeof number ? 0 : 1);
  }
  const std::uint64_t mine = random_number();
  std::uint64_t childs = 0;
  ASSERT_EQ(::read(ends[0], &childs, sizeof childs), static_cast<ssize_t>(sizeof childs));
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(mine, childs);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace takt::os
