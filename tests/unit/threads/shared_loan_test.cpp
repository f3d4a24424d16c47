// Priority that several lenders lend to several threads. Tests that need real-time priorities are skipped
// without them.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "../system_priority.h"
#include "threads/scheduling/scheduling.h"
#include "threads/scheduling/shared_loan.h"
#include "threads/thread.h"

namespace takt::os {
namespace {

class SharedLoans : public testing::Test {
 protected:
  static constexpr int low = 10, middle = 20, urgent = 40;
  static int present_priority() { return unit::system_priority_of(); }
  void SetUp() override {
    if (!may_use({SchedulingClass::fifo, urgent})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  }
  // In a new thread of priority `low`.
  template <class Work>
  static void in_thread(Work work) {
    std::thread([&] {
      EXPECT_EQ(set_scheduling({SchedulingClass::fifo, low}), 0);
      work();
      EXPECT_EQ(present_priority(), low) << "afterwards it runs at its own";
    }).join();
  }
  template <class Work>
  static void in_other_thread(Work work) {
    std::thread(work).join();
  }

  SharedLoan loan_;
};

TEST_F(SharedLoans, FollowTheMostUrgentLender) {
  in_thread([&] {
    const SharedLoan::Borrowing borrowing(loan_);
    EXPECT_EQ(present_priority(), low);
    const auto after = [&](Urgency from, Urgency to) {
      in_other_thread([&] { loan_.change(from, to); });
      return present_priority();
    };
    EXPECT_EQ(after(0, middle), middle);
    EXPECT_EQ(after(0, urgent), urgent);
    EXPECT_EQ(after(0, urgent), urgent);
    EXPECT_EQ(after(urgent, 0), urgent) << "another lends as much";
    EXPECT_EQ(after(urgent, 5), middle);
    EXPECT_EQ(after(middle, 0), low) << "more than is lent";
    EXPECT_EQ(after(5, urgency_of_reservations), highest_lent);
    EXPECT_EQ(after(urgency_of_reservations, 0), low);
  });
}

TEST_F(SharedLoans, ANewBorrowerGetsWhatWasLentBefore) {
  loan_.change(0, urgent);
  in_thread([&] {
    const SharedLoan::Borrowing borrowing(loan_);
    EXPECT_EQ(present_priority(), urgent);
  });
  loan_.change(urgent, 0);
}

TEST_F(SharedLoans, OneThatDoesNotJoinGetsNothing) {
  loan_.change(0, urgent);
  in_thread([&] {
    SharedLoan::Borrowing borrowing(loan_, false);
    EXPECT_EQ(present_priority(), low);
    borrowing.wait();
    borrowing.settle();
    EXPECT_EQ(present_priority(), low);
  });
  loan_.change(urgent, 0);
}

TEST_F(SharedLoans, AThreadThatWaitsKeepsWhatItWasLentUntilItBegins) {
  in_thread([&] {
    SharedLoan::Borrowing borrowing(loan_);
    in_other_thread([&] { loan_.change(0, 1); });  // from now on they lock
    borrowing.wait();
    in_other_thread([&] {
      loan_.change(0, urgent);
      loan_.change(urgent, 0);
    });
    EXPECT_EQ(present_priority(), urgent);
    borrowing.begin(middle);
    EXPECT_EQ(present_priority(), middle);
    SharedLoan::settle_here();
    EXPECT_EQ(present_priority(), low);
    SharedLoan::settle_here();
    in_other_thread([&] { loan_.change(1, 0); });
  });
}

TEST_F(SharedLoans, WorkThatHasBegunKeepsItsUrgencyUntilItIsSettled) {
  in_thread([&] {
    SharedLoan::Borrowing borrowing(loan_);
    loan_.change(0, middle);
    borrowing.begin(middle);
    loan_.change(middle, 0);
    EXPECT_EQ(present_priority(), middle);
    in_other_thread([&] { loan_.change(0, urgent); });
    EXPECT_EQ(present_priority(), urgent) << "for the sake of one that waits meanwhile";
    in_other_thread([&] { loan_.change(urgent, 0); });
    EXPECT_EQ(present_priority(), middle);
    borrowing.settle();
    EXPECT_EQ(present_priority(), low);
  });
}

// Lenders, borrowers that work, and borrowers that come and go.
TEST_F(SharedLoans, NothingIsLeftOfManyLoans) {
  std::vector<std::thread> threads;
  for (const int priority : {middle, middle + 5, urgent})
    threads.emplace_back([&, priority] {
      for (int i = 0; i < 200; ++i) {
        loan_.change(0, priority);
        loan_.change(priority, 0);
      }
    });
  for (int worker = 0; worker < 2; ++worker)
    threads.emplace_back([&, worker] {
      EXPECT_EQ(set_scheduling({SchedulingClass::fifo, low}), 0);
      for (int round = 0; round < 40; ++round) {
        SharedLoan::Borrowing borrowing(loan_);
        for (int i = 0; i < 5; ++i) {
          borrowing.wait();
          borrowing.begin(worker == 0 ? middle : 0);
          SharedLoan::settle_here();
          borrowing.settle();
        }
      }
      EXPECT_EQ(present_priority(), low);
    });
  for (std::thread& thread : threads) thread.join();
  in_thread([&] {
    const SharedLoan::Borrowing borrowing(loan_);
    EXPECT_EQ(present_priority(), low);
  });
}

}  // namespace
}  // namespace takt::os
