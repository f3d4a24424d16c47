// Merging declarations of several files; and tables made from other declarations.
#include <gtest/gtest.h>

#include "schedulability/model/declaration.h"

namespace takt::scheduling {
namespace {

Declaration declared(const std::string& name,
                     std::initializer_list<std::pair<std::string_view, DeclaredValue>> values) {
  Declaration made;
  made.name = name;
  made.where = name + ".toml:7";
  for (const auto& [key, value] : values) {
    const auto taken = declare(made, key, value);
    EXPECT_TRUE(taken) << key << ' ' << taken.error();
  }
  return made;
}

void call(Declaration& caller, const std::string& callee, std::int64_t times = 1) {
  caller.note("calls");
  caller.calls.push_back({callee, times, DependencyType::two_way, caller.where});
}

std::expected<DeclaredOperations, std::string> completed(std::vector<std::vector<Declaration>> files) {
  return complete(files);
}

TEST(Declarations, ALaterFileReplacesWhatItSays) {
  Declaration first = declared("a", {{"period", "20 ms"}, {"wcet", "9 ms"}, {"criticality", "high"}});
  call(first, "b", 2);
  const auto all = completed(
      {{first, declared("b", {{"wcet", "1 ms"}})},
       {declared("b", {{"wcet", "2 ms"}, {"threads", std::int64_t{1}}}), declared("a", {{"wcet", "5 ms"}})}});
  ASSERT_TRUE(all) << all.error();
  const RtInfo& a = all->repository[1];
  EXPECT_EQ(a.entry_point, "a");
  EXPECT_EQ(a.period, std::chrono::milliseconds(20));
  EXPECT_EQ(a.worstcase_execution_time, std::chrono::milliseconds(5));
  EXPECT_EQ(a.criticality, Criticality::high);
  ASSERT_EQ(a.dependencies.size(), 1u);
  EXPECT_EQ(a.dependencies[0].number_of_calls, 2);
  EXPECT_EQ(all->repository[2].worstcase_execution_time, std::chrono::milliseconds(2));
  EXPECT_EQ(all->repository[2].threads, 1);
  EXPECT_EQ(all->fingerprints[0], fingerprint(first)) << "of what was declared first";
}

TEST(Declarations, CallsAreReplacedAsAWhole) {
  Declaration first = declared("a", {{"wcet", "1 ms"}}), second = declared("a", {});
  call(first, "b");
  call(second, "c");
  const auto all =
      completed({{first, declared("b", {{"wcet", "1 ns"}}), declared("c", {{"wcet", "1 ns"}})}, {second}});
  ASSERT_TRUE(all) << all.error();
  ASSERT_EQ(all->repository[1].dependencies.size(), 1u);
  EXPECT_EQ(all->repository[1].dependencies[0].rt_info, 3);
}

TEST(Declarations, WhatIsMissingInAllFilesIsSaid) {
  const auto no_wcet =
      completed({{declared("a", {{"period", "1 s"}})}, {declared("a", {{"typical", "1 ms"}})}});
  ASSERT_FALSE(no_wcet);
  EXPECT_EQ(no_wcet.error(), "a.toml:7: operation 'a' has no wcet, its worst-case execution time");
  Declaration caller = declared("a", {{"wcet", "1 ms"}});
  call(caller, "gone");
  const auto no_callee = completed({{caller}});
  ASSERT_FALSE(no_callee);
  EXPECT_EQ(no_callee.error(), "a.toml:7: no operation is called 'gone'");
}

TEST(Declarations, ALaterFileReplacesThePriority) {
  const auto all = completed({{declared("a", {{"wcet", "1 ms"}, {"priority", std::int64_t{3}}})},
                              {declared("a", {{"priority", std::int64_t{8}}})},
                              {declared("a", {{"period", "9 ms"}})}});
  ASSERT_TRUE(all) << all.error();
  EXPECT_EQ(all->repository[1].declared_priority, 8);
  const auto again = declarations_of(all->repository, "there");
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(again[0].says("priority"));
  EXPECT_EQ(again[0].needs.declared_priority, 8);
}

// Otherwise a store, which has no priorities, would erase those of an earlier file.
TEST(Declarations, NoPriorityIsNotDeclared) {
  const auto all = completed({{declared("a", {{"wcet", "1 ms"}})}});
  ASSERT_TRUE(all) << all.error();
  EXPECT_FALSE(declarations_of(all->repository, "there").at(0).says("priority"));
}

// A table stays valid for a program whose priorities were assigned anew.
TEST(Declarations, APriorityIsNotPartOfTheFingerprint) {
  EXPECT_EQ(fingerprint(declared("a", {{"wcet", "1 ms"}, {"priority", std::int64_t{3}}})),
            fingerprint(declared("a", {{"wcet", "1 ms"}})));
}

// Declarations with different text have different fingerprints.
TEST(Declarations, FingerprintsAreOfEverything) {
  std::vector<Declaration> all = {declared("a", {}), declared("b", {}), declared("a", {{"wcet", "1 ms"}})};
  for (const std::string_view key :
       {"cached", "period", "quantum", "deadline", "phase", "jitter", "blocking"})
    all.push_back(declared("a", {{key, "2 ms"}}));
  for (const std::string_view key : {"threads", "processor"})
    all.push_back(declared("a", {{key, std::int64_t{1}}}));
  for (const std::string_view key : {"criticality", "importance"})
    all.push_back(declared("a", {{key, "low"}}));
  for (const std::int64_t times : {1, 2}) call(all.emplace_back(declared("a", {})), "b", times);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(fingerprint(all[i]), fingerprint(all[j])) << i << ' ' << j;
  EXPECT_EQ(fingerprint(declared("a", {{"wcet", "1 ms"}, {"typical", "1 ms"}})), fingerprint(all[2]))
      << "the typical time is the worst where nothing else is said";
}

TEST(Declarations, WhatWasRegisteredHasTheFingerprintOfWhatWasDeclared) {
  Declaration a = declared("a", {{"wcet", "5 ms"}, {"period", "20 ms"}, {"deadline", "19 ms"}});
  call(a, "b", 3);
  const std::vector<Declaration> file = {a, declared("b", {{"wcet", "1 ms"}, {"typical", "10 us"}})};
  const auto all = completed({file});
  ASSERT_TRUE(all);
  const auto registered = declarations_of(all->repository, "store");
  ASSERT_EQ(registered.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(fingerprint(registered[i]), fingerprint(file[i])) << i;
}

TEST(Declarations, AValueOfTheWrongKindIsRefused) {
  Declaration made;
  EXPECT_FALSE(declare(made, "period", std::int64_t{20}));
  EXPECT_FALSE(declare(made, "threads", "two"));
  EXPECT_FALSE(declare(made, "threads", std::int64_t{-1}));
  EXPECT_FALSE(declare(made, "criticality", "enormous"));
  EXPECT_FALSE(declare(made, "calls", "b"));
  EXPECT_EQ(made.said, 0u);
}

}  // namespace
}  // namespace takt::scheduling
