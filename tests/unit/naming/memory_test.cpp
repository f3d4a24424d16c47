// Changes when there is no memory.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <new>

#include "naming/store/committer.h"

namespace {

// Allocations of this thread until the one that fails; negative: none fails.
thread_local int until_failure = -1;

}  // namespace

void* operator new(std::size_t octets) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(octets ? octets : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace takt::naming {
namespace {

using namespace std::chrono_literals;

Change binding_of(const std::string& key) {
  return {.action = Change::Action::rebind,
          .context = root_context,
          .key = key,
          .binding = {.reference = "a reference that is too long to be in the string itself"}};
}

// Ends the process if the changes wait for ever.
void expect_changes(Committer& committer) {
  auto changed = std::async(std::launch::async, [&] { return committer.carry_out(binding_of("later")); });
  if (changed.wait_for(10s) == std::future_status::ready) {
    EXPECT_TRUE(changed.get());
    return;
  }
  ADD_FAILURE() << "a later change waits for ever";
  std::_Exit(1);
}

TEST(NamingCommitter, GoesOnAfterAnyAllocationHasFailed) {
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, nullptr, Limits{});
  constexpr int changes = 70;  // more than a part of the list of those that wait has room for
  bool has_failed = true;
  int failures = 0;
  for (int allocation = 0; has_failed; ++allocation) {
    std::vector<Change> some;
    for (int i = 0; i < changes; ++i)
      some.push_back(binding_of("a name of some length " + std::to_string(i)));
    has_failed = false;
    try {
      until_failure = allocation;
      const auto outcomes = committer.carry_out(std::move(some));
      has_failed = until_failure < 0;
      until_failure = -1;
      EXPECT_EQ(outcomes.size(), static_cast<std::size_t>(changes));
    } catch (const std::bad_alloc&) {
      has_failed = true;
    }
    until_failure = -1;
    failures += has_failed;
    expect_changes(committer);
  }
  EXPECT_GT(failures, changes);
  EXPECT_EQ(tree.bindings(), changes + 1u);
}

}  // namespace
}  // namespace takt::naming
