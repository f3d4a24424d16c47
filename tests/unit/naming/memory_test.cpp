// Changes when there is no memory.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <future>

#include "../../failing_memory.h"
#include "naming/store/committer.h"

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
  const test::Here here;
  constexpr std::size_t changes = 70;  // more than a part of the list of those that wait has room for
  bool has_failed = true;
  int failures = 0;
  for (; has_failed; failures += has_failed) {
    std::vector<Change> some;
    for (std::size_t i = 0; i < changes; ++i)
      some.push_back(binding_of("a name of some length " + std::to_string(i)));
    std::size_t outcomes = changes;
    has_failed = test::fails_here(failures, [&] { outcomes = committer.carry_out(std::move(some)).size(); });
    EXPECT_EQ(outcomes, changes);
    expect_changes(committer);
  }
  EXPECT_GT(failures, static_cast<int>(changes));
  EXPECT_EQ(tree.bindings(), changes + 1);
}

}  // namespace
}  // namespace takt::naming
