// Locks that are handed over by priority, and lend it. Tests that need real-time priorities are skipped
// without them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/locks/recursive_priority_mutex.h"
#include "threads/scheduling/priority_loan.h"
#include "threads/scheduling/running_thread.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr int low = 10, middle = 20, urgent = 40;

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
  {
    const Contender other(0, [&] { EXPECT_FALSE(this->mutex_.try_lock()); });
  }
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
  static Scheduling as_the_system_has_it() {
    sched_param parameters{};
    ::sched_getparam(0, &parameters);
    return {::sched_getscheduler(0) == SCHED_FIFO ? SchedulingClass::fifo : SchedulingClass::other,
            parameters.sched_priority};
  }
  // Runs it in a new thread of that priority, which is the borrower.
  template <class Borrow>
  static void with_loan(int priority, Borrow borrow) {
    std::thread([&] {
      run_at(priority);
      PriorityLoan loan;
      loan.begin();
      borrow(loan);
    }).join();
  }
  static void in_other_thread(std::function<void()> what) { std::thread(std::move(what)).join(); }
  // The priority of a thread while `lend` lends one, and after the loan has ended.
  template <class Lend>
  static std::pair<Scheduling, Scheduling> lent_to(int priority, Lend lend) {
    std::pair<Scheduling, Scheduling> seen;
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
  static constexpr Scheduling ordinary{}, at_lowest{SchedulingClass::fifo, 1},
      at_low{SchedulingClass::fifo, low}, at_middle{SchedulingClass::fifo, middle},
      at_urgent{SchedulingClass::fifo, urgent};
};

TEST_F(PriorityLoans, RaiseTheBorrowerUntilTheyEnd) {
  const auto raised = [](PriorityLoan& loan) { loan.raise(urgent); };
  EXPECT_EQ(lent_to(0, raised), std::pair(at_urgent, ordinary));
  EXPECT_EQ(lent_to(low, raised), std::pair(at_urgent, at_low));
}

TEST_F(PriorityLoans, NeverLowerTheBorrower) {
  const auto less = [](PriorityLoan& loan) { loan.raise(low); };
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

TEST_F(PriorityLoans, ADemotedBorrowerRunsAtWhatIsLentAndIsDemotedAfterwards) {
  with_loan(middle, [](PriorityLoan& loan) {
    const RunningThread borrower = RunningThread::mine();
    in_other_thread([&] {
      loan.raise(urgent);
      EXPECT_EQ(borrower.demote(), at_middle);
      EXPECT_EQ(borrower.scheduling(), at_lowest);
    });
    EXPECT_EQ(as_the_system_has_it(), at_urgent);
    EXPECT_EQ(scheduling(), at_lowest);
    loan.end();
    EXPECT_EQ(as_the_system_has_it(), at_lowest);
    EXPECT_EQ(scheduling(), at_lowest);
  });
}

TEST_F(PriorityLoans, ALoanThatWasNotNeededRaisesABorrowerThatIsDemoted) {
  with_loan(urgent, [](PriorityLoan& loan) {
    const RunningThread borrower = RunningThread::mine();
    in_other_thread([&] {
      loan.raise(middle);
      EXPECT_EQ(borrower.demote(), at_urgent);
    });
    EXPECT_EQ(as_the_system_has_it(), at_middle);
    in_other_thread([&] { borrower.set_scheduling(at_urgent); });
    EXPECT_EQ(as_the_system_has_it(), at_urgent);
    loan.end();
    EXPECT_EQ(as_the_system_has_it(), at_urgent);
  });
}

TEST_F(PriorityLoans, ABorrowerThatChangesItsOwnPriorityKeepsWhatIsLent) {
  with_loan(low, [](PriorityLoan& loan) {
    in_other_thread([&] { loan.raise(middle); });
    EXPECT_EQ(set_scheduling({}), 0);
    EXPECT_EQ(as_the_system_has_it(), at_middle);
    EXPECT_EQ(set_scheduling(at_urgent), 0);
    EXPECT_EQ(as_the_system_has_it(), at_urgent);
    EXPECT_EQ(set_scheduling(at_low), 0);
    EXPECT_EQ(as_the_system_has_it(), at_middle);
    EXPECT_EQ(scheduling(), at_low);
    EXPECT_EQ(remembered_urgency(), middle) << "what it waits for is to be done at that";
    EXPECT_EQ(set_scheduling({}), 0);
    in_other_thread([&] { loan.lower(0); });
    EXPECT_EQ(as_the_system_has_it(), ordinary);
    EXPECT_EQ(set_scheduling(at_low), 0);
    EXPECT_EQ(as_the_system_has_it(), at_low);
  });
}

TEST_F(PriorityLoans, AChangeByOtherMeansIsTheBorrowersOwn) {
  with_loan(low, [](PriorityLoan& loan) {
    in_other_thread([&] { loan.raise(urgent); });
    sched_param parameters{};
    parameters.sched_priority = middle;
    EXPECT_EQ(::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters), 0);
    loan.end();
    EXPECT_EQ(as_the_system_has_it(), at_middle);
  });
}

TEST_F(PriorityLoans, SeveralLoansEndInAnyOrder) {
  for (const bool first_ends_first : {true, false})
    with_loan(low, [&](PriorityLoan& first) {
      PriorityLoan second;
      second.begin();
      in_other_thread([&] {
        first.raise(middle);
        second.raise(urgent);
      });
      EXPECT_EQ(as_the_system_has_it(), at_urgent);
      (first_ends_first ? first : second).end();
      EXPECT_EQ(as_the_system_has_it(), first_ends_first ? at_urgent : at_middle);
      EXPECT_EQ(set_scheduling({}), 0);
      EXPECT_EQ(as_the_system_has_it(), first_ends_first ? at_urgent : at_middle);
      (first_ends_first ? second : first).end();
      EXPECT_EQ(as_the_system_has_it(), ordinary);
    });
}

TEST_F(PriorityLoans, AThreadThatABorrowerStartsDoesNotKeepWhatIsLent) {
  with_loan(low, [](PriorityLoan& loan) {
    in_other_thread([&] { loan.raise(urgent); });
    Scheduling seen;
    const auto look = [&] { seen = as_the_system_has_it(); };
    Thread::start({}, look)->join();
    EXPECT_EQ(seen, at_low);
    Thread::start({.scheduling = at_middle}, look)->join();
    EXPECT_EQ(seen, at_middle);
  });
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
