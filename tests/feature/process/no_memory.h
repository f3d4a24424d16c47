// Makes single allocations of this program fail.
#pragma once

namespace feature {

enum class Fails { one, all_from_there_on };

// While this object exists, allocations of this thread, or of all others, fail: the one with that number,
// from 0.
class FailingAllocation {
 public:
  enum class In { this_thread, other_threads };
  FailingAllocation(int number, Fails fails, In where = In::this_thread);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  static bool has_failed();
};

}  // namespace feature
