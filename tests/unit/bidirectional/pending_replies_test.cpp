// Callers that wait for replies which another thread reads, and what they lend to it. Tests that need
// real-time priorities are skipped without them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "../system_priority.h"
#include "bidirectional/pending_replies.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::bidirectional {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Status = client::Exchange::Status;

constexpr int low = 10, middle = 20, urgent = 40;

giop::Event reply_to(std::uint32_t request_id) {
  giop::Event event{};
  event.kind = giop::EventKind::reply;
  event.request_id = request_id;
  return event;
}

class Replies : public testing::Test {
 protected:
  static constexpr std::size_t most = 100;
  // Far in the future.
  static Clock::time_point later() { return Clock::now() + 60s; }

  os::SharedLoan reader_loan_;
  PendingReplies replies_{most, reader_loan_};
};

TEST_F(Replies, GoToTheirCallers) {
  client::Waiter first, second;
  EXPECT_FALSE(replies_.enlist(2, first));
  EXPECT_FALSE(replies_.enlist(4, second));
  replies_.deliver(reply_to(4));
  replies_.deliver(reply_to(6));
  replies_.deliver(reply_to(2));
  EXPECT_EQ(replies_.wait(2, first, later()).status, Status::reply);
  EXPECT_EQ(replies_.wait(4, second, later()).status, Status::reply);
  EXPECT_TRUE(replies_.empty());
}

TEST_F(Replies, AreNotWaitedForAfterTheDeadlineNorTheEnd) {
  client::Waiter late, ended, after;
  EXPECT_FALSE(replies_.enlist(2, late));
  EXPECT_EQ(replies_.wait(2, late, Clock::now()).status, Status::timeout);
  EXPECT_FALSE(replies_.enlist(4, ended));
  client::Exchange end;
  end.status = Status::retry;
  replies_.end(end);
  EXPECT_EQ(replies_.wait(4, ended, later()).status, Status::retry);
  EXPECT_EQ(replies_.enlist(6, after)->status, Status::retry);
}

// The reader of the connection, at a low priority of its own.
class LentToTheReader : public Replies {
 protected:
  void SetUp() override {
    if (!os::may_use({os::SchedulingClass::fifo, urgent})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
    reader_ = std::thread([this] {
      EXPECT_EQ(os::set_scheduling({os::SchedulingClass::fifo, low}), 0);
      const os::SharedLoan::Borrowing borrowing(reader_loan_);
      id_ = ::gettid();
      id_.notify_all();
      over_.wait(false);
    });
    id_.wait(0);
  }
  void TearDown() override {
    if (!reader_.joinable()) return;
    over_ = true;
    over_.notify_all();
    reader_.join();
  }
  int priority_of_reader() const { return unit::system_priority_of(id_); }
  void enlist_at(int priority, std::uint32_t request_id, client::Waiter& waiter) {
    std::thread([&] {
      EXPECT_EQ(os::set_scheduling({os::SchedulingClass::fifo, priority}), 0);
      EXPECT_FALSE(replies_.enlist(request_id, waiter));
    }).join();
  }

  std::atomic<pid_t> id_{0};
  std::atomic<bool> over_{false};
  std::thread reader_;
};

TEST_F(LentToTheReader, IsThePriorityOfTheMostUrgentCallerUntilItsReplyHasArrived) {
  client::Waiter one, two, three, ordinary;
  EXPECT_FALSE(replies_.enlist(2, ordinary));
  EXPECT_EQ(priority_of_reader(), low);
  enlist_at(middle, 4, one);
  EXPECT_EQ(priority_of_reader(), middle);
  enlist_at(urgent, 6, two);
  enlist_at(low - 1, 8, three);
  EXPECT_EQ(priority_of_reader(), urgent);
  replies_.deliver(reply_to(8));
  EXPECT_EQ(priority_of_reader(), urgent);
  replies_.deliver(reply_to(6));
  EXPECT_EQ(priority_of_reader(), middle);
  EXPECT_EQ(replies_.wait(6, two, later()).status, Status::reply);
  EXPECT_EQ(priority_of_reader(), middle) << "given back once";
  replies_.deliver(reply_to(4));
  EXPECT_EQ(priority_of_reader(), low);
  replies_.deliver(reply_to(2));
}

TEST_F(LentToTheReader, IsNothingMoreOfACallerWhoseTimeIsOver) {
  client::Waiter caller;
  enlist_at(urgent, 2, caller);
  EXPECT_EQ(replies_.wait(2, caller, Clock::now() + 1ms).status, Status::timeout);
  EXPECT_EQ(priority_of_reader(), low);
  replies_.deliver(reply_to(2));
  EXPECT_EQ(priority_of_reader(), low);
}

TEST_F(LentToTheReader, IsNothingMoreAfterTheEndOfTheConnection) {
  PendingReplies other(most, reader_loan_);
  client::Waiter one, two, elsewhere;
  enlist_at(urgent, 2, one);
  enlist_at(middle, 4, two);
  EXPECT_FALSE(other.enlist(2, elsewhere));
  replies_.end({});
  EXPECT_EQ(priority_of_reader(), low);
  EXPECT_EQ(replies_.wait(2, one, later()).status, client::Exchange().status);
  replies_.wait(4, two, later());
  EXPECT_EQ(priority_of_reader(), low);
  other.end({});
}

// Replies, deadlines and the end at the same time.
TEST_F(LentToTheReader, IsNothingAfterManyCallsOfManyPriorities) {
  std::vector<std::thread> callers;
  std::atomic<std::uint32_t> next_id{2};
  std::atomic<int> calling{3};
  for (const int priority : {low, middle, urgent})
    callers.emplace_back([&, priority] {
      EXPECT_EQ(os::set_scheduling({os::SchedulingClass::fifo, priority}), 0);
      client::Waiter waiter;
      for (int i = 0; i < 300; ++i) {
        const std::uint32_t id = next_id.fetch_add(2);
        if (replies_.enlist(id, waiter)) break;
        replies_.wait(id, waiter, Clock::now() + 100us);
      }
      --calling;
    });
  std::uint32_t answered = 0;
  while (calling > 0) {
    for (const std::uint32_t last = next_id; answered < last; answered += 2)
      replies_.deliver(reply_to(answered));
    std::this_thread::yield();
    if (next_id > 1500) replies_.end({});
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(replies_.empty());
  EXPECT_EQ(priority_of_reader(), low);
}

}  // namespace
}  // namespace takt::bidirectional
