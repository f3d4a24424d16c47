#include "queued/request_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "../system_priority.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<QueuedRequest> request(RequestQueue& queue, std::uint32_t id,
                                       std::string_view operation = "op", std::int16_t priority = -1) {
  giop::Event event;
  event.request_id = id;
  event.operation = operation;
  auto made = queue.blank();
  made->hold(nullptr, event, cdr::Format(), -1, true);
  giop::KnownContexts contexts;
  contexts.rt_priority = priority;
  made->note(contexts, {});
  return made;
}

std::shared_ptr<BufferBounds> room_for(std::size_t requests, std::size_t octets = 0) {
  return std::make_shared<BufferBounds>(requests, octets);
}

std::vector<std::uint32_t> all_of(RequestQueue& queue) {
  std::vector<std::uint32_t> ids;
  while (const auto task = queue.pop(nullptr, 0ns)) ids.push_back(task.request->context().request_id);
  return ids;
}

TEST(RequestQueue, GivesInOrderWhatItTook) {
  RequestQueue queue(room_for(1000));
  std::unique_ptr<QueuedRequest> last;
  std::uint32_t taken = 0;
  for (std::uint32_t id = 0; id < 500; ++id) {  // grows while it is neither empty nor at its start
    ASSERT_EQ(queue.push(request(queue, id)), nullptr);
    if (id % 3 != 0) continue;
    last = queue.pop(std::move(last), 1s).request;
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->context().request_id, taken++);
  }
  while ((last = queue.pop(std::move(last), 0ns).request)) EXPECT_EQ(last->context().request_id, taken++);
  EXPECT_EQ(taken, 500u);
}

TEST(RequestQueue, GivesTheHighestPriorityFirstAndEqualOnesAsTheyCame) {
  RequestQueue queue(room_for(1000), request_order(QueueOrder::priority));
  const std::int16_t priorities[] = {3, -1, 7, 3, 0, 32767, 7, -1};
  for (std::uint32_t id = 0; id < std::size(priorities); ++id)
    ASSERT_EQ(queue.push(request(queue, id, "op", priorities[id])), nullptr);
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{5, 2, 6, 0, 3, 4, 1, 7}));
}

TEST(RequestQueue, WithoutAnOrderGivesTheMostUrgentFirst) {
  RequestQueue queue(room_for(1000));
  const os::Urgency urgencies[] = {0, 10, 40, 10, 0};
  for (std::uint32_t id = 0; id < std::size(urgencies); ++id) {
    auto made = request(queue, id);
    made->note_urgency(urgencies[id]);
    ASSERT_EQ(queue.push(std::move(made)), nullptr);
  }
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{2, 1, 3, 0, 4}));
}

TEST(RequestQueue, UrgentRequestsLendTheirPriorityUntilTheyAreBegunOrGiveUpTheirPlaces) {
  constexpr int low = 10, urgent = 40;
  if (!os::may_use({os::SchedulingClass::fifo, urgent})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  RequestQueue queue(room_for(1));
  const auto push = [&](std::uint32_t id, CommunicationClass communication, os::Urgency urgency) {
    auto made = request(queue, id);
    giop::KnownContexts contexts;
    contexts.quality = giop::WireQuality{.communication_class = static_cast<std::uint8_t>(communication)};
    made->note(contexts, {});
    made->note_urgency(urgency);
    return queue.push(std::move(made));
  };
  std::thread([&] {
    EXPECT_EQ(os::set_scheduling({os::SchedulingClass::fifo, low}), 0);
    os::SharedLoan::Borrowing borrowing(queue.loan());
    EXPECT_EQ(push(1, CommunicationClass::burst, urgent), nullptr);
    EXPECT_EQ(unit::system_priority_of(), urgent);
    EXPECT_NE(push(2, CommunicationClass::burst, urgent + 1), nullptr) << "there is no room for it";
    EXPECT_EQ(unit::system_priority_of(), urgent);
    EXPECT_NE(push(3, CommunicationClass::message, low + 1), nullptr) << "the first is refused for it";
    EXPECT_EQ(unit::system_priority_of(), low + 1);
    const auto task = queue.pop(nullptr, 0ns);
    ASSERT_NE(task.request, nullptr);
    borrowing.begin(task.request->urgency());
    queue.loan().change(task.request->urgency(), 0);
    EXPECT_EQ(unit::system_priority_of(), low + 1);
    borrowing.settle();
    EXPECT_EQ(unit::system_priority_of(), low);
  }).join();
}

TEST(RequestQueue, GivesTheEarliestDeadlineFirstAndThoseWithoutLast) {
  RequestQueue queue(room_for(1000), request_order(QueueOrder::deadline));
  const auto now = std::chrono::steady_clock::now();
  const auto push = [&](std::uint32_t id, std::chrono::nanoseconds arrived,
                        std::chrono::nanoseconds remaining) {
    auto made = request(queue, id);
    giop::KnownContexts contexts;
    contexts.quality = giop::WireQuality{.remaining = remaining};
    made->note(contexts, now + arrived);
    ASSERT_EQ(queue.push(std::move(made)), nullptr);
  };
  ASSERT_EQ(queue.push(request(queue, 0)), nullptr);
  push(1, 0ms, 50ms);
  push(2, 30ms, 10ms);
  push(3, 10ms, giop::WireQuality::no_deadline);
  push(4, 20ms, 20ms);
  push(5, 20ms, giop::WireQuality::no_deadline - 1ns);
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{2, 4, 1, 0, 3, 5}));
}

TEST(RequestQueue, AThreadThatIsPromisedElsewhereIsNotIdleAndGetsItsErrand) {
  RequestQueue queue(room_for(0));
  EXPECT_FALSE(queue.promise_thread());
  queue.thread_comes();
  EXPECT_TRUE(queue.promise_thread());
  EXPECT_FALSE(queue.promise_thread());
  EXPECT_NE(queue.push(request(queue, 1)), nullptr) << "the thread is not for it";
  QueueWorkers* const other = reinterpret_cast<QueueWorkers*>(&queue);  // never dereferenced
  queue.send({std::make_shared<int>(), other});
  EXPECT_EQ(queue.pop_for_other(), nullptr) << "errands are for the queue's own threads";
  const auto task = queue.pop(nullptr, 1s);
  EXPECT_EQ(task.errand.get(), other);
  EXPECT_EQ(task.request, nullptr);
}

TEST(RequestQueue, AThreadStaysForARequestThatCameWhenItHadWaitedLongEnough) {
  RequestQueue queue(room_for(0));
  queue.thread_comes();
  EXPECT_FALSE(queue.pop(nullptr, 0ns));
  ASSERT_EQ(queue.push(request(queue, 1)), nullptr) << "the thread is still there";
  EXPECT_FALSE(queue.thread_may_go());
  auto task = queue.pop(nullptr, 0ns);
  ASSERT_NE(task.request, nullptr);
  EXPECT_FALSE(queue.pop(std::move(task.request), 0ns));
  EXPECT_TRUE(queue.thread_may_go());
  EXPECT_NE(queue.push(request(queue, 2)), nullptr) << "nobody is there";
}

// The client's next request may come before the thread is there.
TEST(RequestQueue, ForAThreadWhoseAnswerIsAboutToLeaveThereIsRoomThoughItIsBusy) {
  RequestQueue queue(room_for(0));
  queue.thread_comes();
  ASSERT_EQ(queue.push(request(queue, 1)), nullptr);
  auto served = queue.pop(nullptr, 0ns).request;
  ASSERT_NE(served, nullptr);
  EXPECT_NE(queue.push(request(queue, 2)), nullptr) << "it is busy";
  queue.thread_is_ready(*served);
  EXPECT_FALSE(queue.promise_thread()) << "its answer may take long";
  EXPECT_TRUE(queue.all_busy());
  EXPECT_EQ(queue.push(request(queue, 3)), nullptr);
  EXPECT_TRUE(queue.starving()) << "another thread may take it meanwhile";
  served = queue.pop(std::move(served), 0ns).request;
  ASSERT_NE(served, nullptr);
  EXPECT_EQ(served->context().request_id, 3u);
  EXPECT_NE(queue.push(request(queue, 4)), nullptr) << "it counts once";
  queue.thread_is_ready(*served);
  queue.give_back(std::move(served));
  queue.thread_goes();
  EXPECT_NE(queue.push(request(queue, 5)), nullptr) << "nobody is there";
}

TEST(RequestQueue, AThreadStaysForAnErrandThatIsPromised) {
  RequestQueue queue(room_for(0));
  queue.thread_comes();
  ASSERT_TRUE(queue.promise_thread());
  EXPECT_FALSE(queue.thread_may_go());
}

TEST(RequestQueue, AThreadOfAnotherLaneComesOnlyWhereARequestLacksOne) {
  RequestQueue queue(room_for(10));
  EXPECT_FALSE(queue.come_if_needed());
  ASSERT_EQ(queue.push(request(queue, 1)), nullptr);
  EXPECT_TRUE(queue.starving());
  EXPECT_TRUE(queue.come_if_needed());
  EXPECT_FALSE(queue.starving());
  EXPECT_FALSE(queue.come_if_needed()) << "one is enough";
  auto given = queue.pop_for_other();
  ASSERT_NE(given, nullptr);
  queue.give_back(std::move(given));
  queue.thread_goes();
  EXPECT_TRUE(queue.all_busy()) << "no thread is left here";
}

TEST(RequestQueue, RefusesBeyondItsBounds) {
  RequestQueue few(room_for(2));
  EXPECT_EQ(few.push(request(few, 1)), nullptr);
  EXPECT_EQ(few.push(request(few, 2)), nullptr);
  const auto refused = few.push(request(few, 3));
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->context().request_id, 3u);
  EXPECT_EQ(refused->context().operation, "op");

  RequestQueue small(room_for(100, 5));
  EXPECT_EQ(small.push(request(small, 1, "three")), nullptr);
  EXPECT_NE(small.push(request(small, 2, "x")), nullptr);
  EXPECT_NE(small.pop(nullptr, 0ns).request, nullptr);
  EXPECT_EQ(small.push(request(small, 3, "x")), nullptr);
}

TEST(RequestQueue, AnIdleThreadTakesWhatMayNotWait) {
  RequestQueue none(room_for(0));
  EXPECT_NE(none.push(request(none, 1)), nullptr);
  EXPECT_TRUE(none.all_busy());
  none.thread_comes();
  EXPECT_FALSE(none.all_busy());
  EXPECT_EQ(none.push(request(none, 2)), nullptr);  // before the thread has come
  EXPECT_NE(none.push(request(none, 3)), nullptr);
  auto given = none.pop(nullptr, 10s).request;
  ASSERT_NE(given, nullptr);
  EXPECT_EQ(given->context().request_id, 2u);
  EXPECT_NE(none.push(request(none, 4)), nullptr) << "the thread serves";
  EXPECT_EQ(none.pop(std::move(given), 0ns).request, nullptr);
  EXPECT_EQ(none.push(request(none, 5)), nullptr);
  none.thread_goes();
}

std::unique_ptr<QueuedRequest> request_from(RequestQueue& queue, std::uint32_t id,
                                            std::chrono::steady_clock::time_point start) {
  auto made = request(queue, id);
  made->note({}, {}, {}, {.start = start});
  return made;
}

TEST(RequestQueue, AThreadThatWaitsForAStartTimeWakesForAnEarlierOneThatCameLater) {
  using Clock = std::chrono::steady_clock;
  RequestQueue queue(room_for(10));
  queue.thread_comes();
  const auto far = Clock::now() + 5s;
  ASSERT_EQ(queue.push(request_from(queue, 1, far)), nullptr);
  std::uint32_t first = 0;
  Clock::time_point at;
  std::thread thread([&] {
    RequestQueue::Task task;
    while (!(task = queue.pop(nullptr, 10s))) continue;
    at = Clock::now();
    first = task.request->context().request_id;
  });
  std::this_thread::sleep_for(50ms);  // ensures that it waits for the first
  ASSERT_EQ(queue.push(request_from(queue, 2, Clock::now() + 50ms)), nullptr);
  thread.join();
  EXPECT_EQ(first, 2u);
  EXPECT_LT(at, far) << "it was given when its own time came";
}

TEST(RequestQueue, AStartTimeThatCameWhileNoThreadWaitedDoesNotStopLaterOnesFromBeingWatched) {
  using Clock = std::chrono::steady_clock;
  RequestQueue queue(room_for(10));
  queue.thread_comes();
  ASSERT_EQ(queue.push(request_from(queue, 1, Clock::now() + 1ms)), nullptr);
  std::this_thread::sleep_for(5ms);
  auto task = queue.pop(nullptr, 1s);
  ASSERT_TRUE(task);
  while (task) task = queue.pop(std::move(task.request), 0ns);
  queue.pop(nullptr, 0ns);
  std::thread thread([&] { task = queue.pop(nullptr, 2s); });
  std::this_thread::sleep_for(50ms);
  ASSERT_EQ(queue.push(request_from(queue, 2, Clock::now() + 50ms)), nullptr);
  thread.join();
  ASSERT_NE(task.request, nullptr) << "nobody looked when its time came";
  EXPECT_EQ(task.request->context().request_id, 2u);
}

TEST(RequestQueue, AThreadSaysWhereStartTimesWouldFindNoneIdle) {
  using Clock = std::chrono::steady_clock;
  RequestQueue queue(room_for(10));
  queue.thread_comes();
  ASSERT_EQ(queue.push(request_from(queue, 1, Clock::now() + 1h)), nullptr);
  EXPECT_FALSE(queue.thread_may_go()) << "it is the only one that would be there";
  ASSERT_EQ(queue.push(request(queue, 2)), nullptr);
  EXPECT_TRUE(queue.pop(nullptr, 1s).lacks_threads);
}

TEST(RequestQueue, ARequestOfALowerClassGivesItsPlaceOnlyWhereThatIsEnough) {
  const auto bounds = room_for(1);
  bounds->more_oneways = 1;
  RequestQueue queue(bounds);
  const auto push = [&](std::uint32_t id, CommunicationClass communication, bool oneway) {
    giop::Event event;
    event.request_id = id;
    auto made = queue.blank();
    made->hold(nullptr, event, cdr::Format(), -1, !oneway);
    giop::KnownContexts contexts;
    contexts.quality = giop::WireQuality{.communication_class = static_cast<std::uint8_t>(communication)};
    made->note(contexts, {});
    const auto refused = queue.push(std::move(made));
    return refused ? refused->context().request_id : 0;
  };
  EXPECT_EQ(push(1, CommunicationClass::burst, false), 0u);
  EXPECT_EQ(push(2, CommunicationClass::burst, true), 0u);
  EXPECT_EQ(push(3, CommunicationClass::isochronous, false), 1u) << "the oneway's place is none for it";
  EXPECT_EQ(push(4, CommunicationClass::message, false), 4u);
  EXPECT_EQ(push(5, CommunicationClass::message, true), 2u);
}

// A request of a client that has as many in queues as `counts` says.
std::unique_ptr<QueuedRequest> request_of(SenderCounts& counts, RequestQueue& queue, std::uint32_t id,
                                          std::int16_t priority = -1) {
  auto made = request(queue, id, "op", priority);
  made->note_sender(&counts);
  return made;
}

TEST(RequestQueue, OfAClientWithMoreThanAnotherGiveTheirPlacesFromTheLastOn) {
  RequestQueue queue(room_for(4));
  SenderCounts flooding, other, third;
  for (std::uint32_t id = 0; id < 4; ++id) ASSERT_EQ(queue.push(request_of(flooding, queue, id)), nullptr);
  const auto refused = [&](SenderCounts& client, std::uint32_t id) {
    const auto gone = queue.push(request_of(client, queue, id));
    return gone ? static_cast<int>(gone->context().request_id) : -1;
  };
  EXPECT_EQ(refused(flooding, 4), 4);
  EXPECT_EQ(refused(other, 5), 3);
  EXPECT_EQ(refused(other, 6), 2);
  EXPECT_EQ(refused(other, 7), 7) << "both have as many now";
  EXPECT_EQ(refused(third, 8), 6) << "a third has none";
  EXPECT_EQ(refused(third, 9), 9);
  EXPECT_EQ(flooding.waiting, 2u);
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{0, 1, 5, 8}));
  EXPECT_EQ(flooding.waiting + other.waiting + third.waiting, 0u);
}

TEST(RequestQueue, OfAClientWithMoreKeepTheirPlacesBeforeLessUrgentOnes) {
  RequestQueue queue(room_for(2), request_order(QueueOrder::priority));
  SenderCounts urgent, other;
  for (std::uint32_t id = 0; id < 2; ++id) ASSERT_EQ(queue.push(request_of(urgent, queue, id, 7)), nullptr);
  const auto gone = queue.push(request_of(other, queue, 2, 3));
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->context().request_id, 2u);
}

// The callers may have been told that they came.
TEST(RequestQueue, OfAClientWithMoreKeepTheirPlacesIfTheyHaveNoReply) {
  RequestQueue queue(room_for(2));
  SenderCounts flooding, other;
  for (std::uint32_t id = 0; id < 2; ++id) {
    giop::Event event;
    event.request_id = id;
    auto made = queue.blank();
    made->hold(nullptr, event, cdr::Format(), -1, false);
    made->note_sender(&flooding);
    ASSERT_EQ(queue.push(std::move(made)), nullptr);
  }
  const auto gone = queue.push(request_of(other, queue, 2));
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->context().request_id, 2u);
}

TEST(RequestQueue, EarlyRequestsTakeNoOctetsOfThoseThatWaitForAThread) {
  RequestQueue queue(room_for(100, 5));
  const auto push = [&](std::uint32_t id, std::string_view operation, std::chrono::nanoseconds until_start) {
    auto made = request(queue, id, operation);
    made->note({}, {}, {}, {.start = std::chrono::steady_clock::now() + until_start});
    return queue.push(std::move(made)) == nullptr;
  };
  EXPECT_TRUE(push(1, "three", 1h));
  EXPECT_FALSE(push(2, "x", 1h)) << "early ones have the same limit";
  EXPECT_TRUE(push(3, "two", 0ms));
  EXPECT_EQ(queue.state().octets, 8u);
  queue.wake_permanently(1);
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(queue.state().octets, 0u);
}

TEST(RequestQueue, AClientWithMoreEarlyRequestsThanAnotherGivesUpThoseThatStartLast) {
  RequestQueue queue(room_for(3));
  SenderCounts flooding, other;
  const auto now = std::chrono::steady_clock::now();
  const auto refused = [&](SenderCounts& client, std::uint32_t id, std::chrono::nanoseconds until_start) {
    auto made = request_of(client, queue, id);
    made->note({}, {}, {}, {.start = now + until_start});
    const auto gone = queue.push(std::move(made));
    return gone ? gone->context().request_id : 0;
  };
  EXPECT_EQ(refused(flooding, 1, 1h), 0u);
  EXPECT_EQ(refused(flooding, 2, 3h), 0u);
  EXPECT_EQ(refused(flooding, 3, 2h), 0u);
  EXPECT_EQ(refused(flooding, 4, 1h), 4u);
  EXPECT_EQ(refused(other, 5, 4h), 2u);
  EXPECT_EQ(refused(other, 6, 1h), 6u) << "two of three are enough for neither";
  EXPECT_EQ(queue.state().early, 3u);
  queue.wake_permanently(1);
  EXPECT_EQ(all_of(queue), (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_EQ(flooding.early + flooding.waiting + other.early + other.waiting, 0u);
}

TEST(RequestQueue, WokenForGoodGivesWhatIsLeftAndThenNothing) {
  RequestQueue queue(room_for(100));
  EXPECT_EQ(queue.push(request(queue, 1)), nullptr);
  queue.wake_permanently(1);
  EXPECT_NE(queue.pop(nullptr, 1h).request, nullptr);
  EXPECT_EQ(queue.pop(nullptr, 1h).request, nullptr);
  EXPECT_TRUE(queue.empty());
}

TEST(RequestQueue, EachRequestIsGivenToOneOfManyThreads) {
  RequestQueue queue(room_for(100000));
  constexpr std::uint32_t count = 20000;
  std::vector<std::atomic<int>> times(count);
  std::vector<std::jthread> workers;
  for (int i = 0; i < 4; ++i)
    workers.emplace_back([&] {
      std::unique_ptr<QueuedRequest> one;
      while ((one = queue.pop(std::move(one), 2s).request)) ++times[one->context().request_id];
    });
  for (std::uint32_t id = 0; id < count; ++id) ASSERT_EQ(queue.push(request(queue, id)), nullptr);
  for (int i = 0; i < 1000 && !queue.empty(); ++i) std::this_thread::sleep_for(10ms);
  queue.wake_permanently(4);
  workers.clear();
  for (const auto& each : times) ASSERT_EQ(each, 1);
}

}  // namespace
}  // namespace takt::server
