// Operations for tests, one line each.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline Requirements needs(std::int64_t execution, std::int64_t period, std::int64_t deadline = 0) {
  Requirements wanted;
  wanted.worstcase_execution_time = Time(execution);
  wanted.period = Time(period);
  wanted.deadline = Time(deadline);
  return wanted;
}

inline Handle declare(Repository& repository, const std::string& name, const Requirements& wanted) {
  const auto handle = repository.create(name);
  EXPECT_TRUE(handle) << handle.error().text;
  const auto set = repository.set(*handle, wanted);
  EXPECT_TRUE(set) << set.error().text;
  return *handle;
}

inline void depend(Repository& repository, Handle caller, Handle callee, std::int64_t calls = 1,
                   DependencyType type = DependencyType::two_way) {
  const auto added = repository.add_dependency(caller, callee, calls, type);
  EXPECT_TRUE(added) << added.error().text;
}

// Operations "1", "2", ...
inline Repository operations(std::initializer_list<Requirements> all) {
  Repository repository;
  for (const Requirements& each : all)
    declare(repository, std::to_string(repository.infos().size() + 1), each);
  return repository;
}

inline Analysis analysed(const Repository& repository, Strategy strategy, bool level_each = true) {
  PriorityOptions options;
  options.strategy = strategy;
  options.level_each = level_each;
  auto analysis = analyse(repository, options);
  EXPECT_TRUE(analysis) << text_of(analysis.error());
  return analysis ? *analysis : Analysis();
}

// The thread of an operation that begins exactly one thread.
inline std::size_t thread_of(const Analysis& analysis, Handle entry) {
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.threads[i].entry == entry) return i;
  ADD_FAILURE() << "no thread begins with operation " << entry;
  return 0;
}
inline const Thread& thread(const Analysis& analysis, Handle entry) {
  return analysis.threads[thread_of(analysis, entry)];
}
inline const ThreadResult& result(const Analysis& analysis, Handle entry) {
  return analysis.results[thread_of(analysis, entry)];
}
// Nanoseconds; -1 if there is none.
inline std::int64_t response(const Analysis& analysis, Handle entry) {
  return result(analysis, entry).response.value_or(Time(-1)).count();
}

}  // namespace takt::scheduling
