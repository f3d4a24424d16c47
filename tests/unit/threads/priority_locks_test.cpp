// Locks that are handed over by priority, and lend it. Tests that need real-time priorities are skipped
// without them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/locks/recursive_priority_mutex.h"
#include "threads/scheduling/priority_loan.h"
#include "threads/scheduling/scheduling.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr int low = 10, urgent = 40;

bool may_use_priorities() { return may_use({SchedulingClass::fifo, urgent}); }

void run_at(int priority) {
  ASSERT_EQ(set_scheduling(priority == 0 ? Scheduling{} : Scheduling{SchedulingClass::fifo, priority}), 0);
}

// A field of /proc/self/task/ID/stat, counted from 1 as in proc(5).
std::string field_of(pid_t thread, int number) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string field;
  for (int i = 3; i <= number; ++i) rest >> field;
  return field;
}

// The priority that the system uses, including inherited priority.
int effective_priority_of(pid_t thread) { return -1 - std::stoi(field_of(thread, 18)); }

void await_sleep_of(pid_t thread) {
  while (field_of(thread, 3) != "S") std::this_thread::yield();
}

// A thread that has locked nothing yet, and whose id is known.
class Contender {
 public:
  template <class Work>
  Contender(int priority, Work work)
      : thread_([this, priority, work] {
          run_at(priority);
          id_ = ::gettid();
          work();
        }) {
    while (id_ == 0) std::this_thread::yield();
  }
  ~Contender() { thread_.join(); }
  pid_t id() const { return id_; }

 private:
  std::atomic<pid_t> id_{0};
  std::thread thread_;
};

template <class Mutex>
class PriorityLocks : public testing::Test {
 protected:
  Mutex mutex_;
};
using Mutexes = testing::Types<PriorityMutex, RecursivePriorityMutex>;
TYPED_TEST_SUITE(PriorityLocks, Mutexes);

TYPED_TEST(PriorityLocks, AreHandedToTheMostUrgentAndToTheFirstAmongEquals) {
  if (!may_use_priorities()) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  std::vector<int> order;  // guarded by the mutex
  {
    std::vector<std::unique_ptr<Contender>> contenders;
    std::unique_lock lock(this->mutex_);
    int number = 0;
    for (const int priority : {0, low, urgent, 0, urgent, low}) {
      contenders.push_back(std::make_unique<Contender>(priority, [this, &order, mine = number++] {
        const std::lock_guard inside(this->mutex_);
        order.push_back(mine);
      }));
      await_sleep_of(contenders.back()->id());
    }
    lock.unlock();
  }
  EXPECT_EQ(order, (std::vector{2, 4, 1, 5, 0, 3}));
}

TYPED_TEST(PriorityLocks, TheOwnerRunsAtThePriorityOfTheMostUrgentWaiter) {
  if (!may_use_priorities()) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  std::atomic<bool> locked{false}, unlocks{false}, over{false};
  const Contender owner(low, [&] {
    {
      const std::lock_guard lock(this->mutex_);
      locked = true;
      while (!unlocks) std::this_thread::sleep_for(1ms);
    }
    while (!over) std::this_thread::sleep_for(1ms);
  });
  while (!locked) std::this_thread::yield();
  EXPECT_EQ(effective_priority_of(owner.id()), low);
  {
    const Contender waiter(urgent, [&] { const std::lock_guard lock(this->mutex_); });
    await_sleep_of(waiter.id());
    EXPECT_EQ(effective_priority_of(owner.id()), urgent);
    unlocks = true;
  }
  EXPECT_EQ(effective_priority_of(owner.id()), low);
  over = true;
}

TYPED_TEST(PriorityLocks, AreTriedWithoutWaiting) {
  ASSERT_TRUE(this->mutex_.try_lock());
  const Contender other(0, [&] { EXPECT_FALSE(this->mutex_.try_lock()); });
  this->mutex_.unlock();
}

TEST(RecursivePriorityMutex, BelongsToItsOwnerUntilUnlockedAsOftenAsLocked) {
  RecursivePriorityMutex mutex;
  const auto others_may = [&] {
    bool may = false;
    std::thread([&] {
      may = mutex.try_lock();
      if (may) mutex.unlock();
    }).join();
    return may;
  };
  mutex.lock();
  mutex.lock();
  EXPECT_TRUE(mutex.try_lock());
  EXPECT_FALSE(others_may());
  mutex.unlock();
  mutex.unlock();
  EXPECT_FALSE(others_may());
  mutex.unlock();
  EXPECT_TRUE(others_may());
}

TEST(PriorityCondition, WakesAndTimesOut) {
  PriorityMutex mutex;
  PriorityCondition condition;
  bool ready = false;
  std::unique_lock lock(mutex);
  EXPECT_FALSE(condition.wait_for(lock, 1ms, [&] { return ready; }));
  EXPECT_FALSE(condition.wait_until(lock, PriorityCondition::Clock::time_point{}, [&] { return ready; }));
  std::thread other([&] {
    const std::lock_guard inside(mutex);
    ready = true;
    condition.notify_all();
  });
  condition.wait(lock, [&] { return ready; });
  lock.unlock();
  other.join();
  EXPECT_TRUE(ready);
}

class PriorityLoans : public testing::Test {
 protected:
  void SetUp() override {
    if (!may_use_priorities()) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  }
  // The priority of a thread while `lend` lends one, and after the loan has ended.
  template <class Lend>
  static std::pair<Scheduling, Scheduling> lent_to(int priority, Lend lend) {
    std::pair<Scheduling, Scheduling> seen;
    const auto as_the_system_has_it = [] {
      sched_param parameters{};
      ::sched_getparam(0, &parameters);
      return Scheduling{
          ::sched_getscheduler(0) == SCHED_FIFO ? SchedulingClass::fifo : SchedulingClass::other,
          parameters.sched_priority};
    };
    std::thread([&] {
      run_at(priority);
      PriorityLoan loan;
      loan.begin();
      std::thread([&] { lend(loan); }).join();
      seen.first = as_the_system_has_it();
      loan.end();
      seen.second = as_the_system_has_it();
    }).join();
    return seen;
  }
  static constexpr Scheduling ordinary{}, at_low{SchedulingClass::fifo, low},
      at_urgent{SchedulingClass::fifo, urgent};
};

TEST_F(PriorityLoans, RaiseTheBorrowerUntilTheyEnd) {
  const auto raised = [](PriorityLoan& loan) { loan.raise(urgent); };
  EXPECT_EQ(lent_to(0, raised), std::pair(at_urgent, ordinary));
  EXPECT_EQ(lent_to(low, raised), std::pair(at_urgent, at_low));
}

TEST_F(PriorityLoans, NeverLowerTheBorrower) {
  const auto less = [](PriorityLoan& loan) {
    loan.raise(low);
    EXPECT_EQ(loan.lent(), 0);
  };
  EXPECT_EQ(lent_to(urgent, less), std::pair(at_urgent, at_urgent));
  EXPECT_EQ(lent_to(low, less), std::pair(at_low, at_low));
}

TEST_F(PriorityLoans, FollowTheMostUrgentLender) {
  EXPECT_EQ(lent_to(0,
                    [](PriorityLoan& loan) {
                      loan.raise(low);
                      loan.raise(urgent);
                      loan.raise(low);
                      EXPECT_EQ(loan.lent(), urgent);
                      loan.lower(low);
                    }),
            std::pair(at_low, ordinary));
  EXPECT_EQ(lent_to(low,
                    [](PriorityLoan& loan) {
                      loan.raise(urgent);
                      loan.lower(0);
                      EXPECT_EQ(loan.lent(), 0);
                    }),
            std::pair(at_low, at_low));
}

TEST_F(PriorityLoans, AThreadKnowsItsOwnUrgency) {
  std::thread([] {
    EXPECT_EQ(own_urgency(), 0);
    run_at(urgent);
    EXPECT_EQ(own_urgency(), urgent);
    EXPECT_EQ(remembered_urgency(), urgent);
  }).join();
}

}  // namespace
}  // namespace takt::os
