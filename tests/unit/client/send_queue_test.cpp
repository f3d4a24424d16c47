#include "client/strategy/send_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <numeric>
#include <set>

#include "client/strategy/waiting_calls.h"

namespace takt::client {
namespace {

using Octets = std::vector<std::uint8_t>;

Octets message(std::size_t size, std::uint8_t value) { return Octets(size, value); }

void add(SendQueue& queue, std::uint32_t id, Octets octets, Waiter* when_sent = nullptr) {
  ASSERT_TRUE(queue.has_room_for(octets.size()));
  queue.add(id, octets, when_sent);
}

std::size_t collected(SendQueue& queue) {
  std::vector<ByteView> pieces;
  queue.collect(pieces);
  return std::accumulate(pieces.begin(), pieces.end(), std::size_t{0},
                         [](std::size_t sum, ByteView piece) { return sum + piece.size(); });
}

void nobody(Waiter&) { FAIL() << "nobody waits"; }

TEST(SendQueue, IsBoundedByNumberAndByOctets) {
  SendQueue by_number(3, 1000);
  for (std::uint32_t id = 0; id < 3; ++id) add(by_number, id, message(10, 1));
  EXPECT_FALSE(by_number.has_room_for(1));
  SendQueue by_octets(100, 1000);
  add(by_octets, 1, message(600, 1));
  EXPECT_TRUE(by_octets.has_room_for(400));
  EXPECT_FALSE(by_octets.has_room_for(401));
}

// A long message in transmission does not keep other threads from queueing short ones.
TEST(SendQueue, WhatIsBegunTakesNoRoom) {
  SendQueue queue(100, 1000);
  add(queue, 1, message(5000, 1));
  EXPECT_FALSE(queue.has_room_for(1));
  EXPECT_EQ(collected(queue), 5000u);
  EXPECT_TRUE(queue.has_room_for(1000));
  add(queue, 2, message(1000, 2));
  EXPECT_FALSE(queue.has_room_for(1));
}

TEST(SendQueue, OctetsLeaveInOrderWhateverTheSystemTakes) {
  SendQueue queue(1000, 1 << 20);
  Octets expected, gone;
  std::vector<ByteView> pieces;
  std::uint32_t random = 7;
  const auto some = [&](std::uint32_t most) {
    return (random = random * 1664525 + 1013904223) / 65536 % most;
  };
  for (std::uint32_t id = 0; id < 500 || !queue.empty();) {
    if (id < 500 && some(2) == 0) {
      const Octets next = message(1 + some(300), static_cast<std::uint8_t>(id));
      expected.insert(expected.end(), next.begin(), next.end());
      if (some(2) == 0)
        add(queue, id++, next);
      else
        queue.add_copy(id++, next, nullptr);
      continue;
    }
    queue.collect(pieces);
    std::size_t taken = some(400), left = taken;
    for (const ByteView piece : pieces) {
      const std::size_t part = std::min(left, piece.size());
      gone.insert(gone.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(part));
      left -= part;
    }
    queue.sent(taken - left, nobody);
  }
  EXPECT_EQ(gone, expected);
}

TEST(SendQueue, WhatIsWithdrawnIsNotSent) {
  SendQueue queue(100, 100);
  for (std::uint32_t id = 1; id <= 4; ++id) add(queue, id, message(25, static_cast<std::uint8_t>(id)));
  EXPECT_EQ(queue.give_up(2, 1), SendQueue::Fate::withdrawn);
  EXPECT_FALSE(queue.has_room_for(1)) << "it stands between others";
  EXPECT_EQ(queue.give_up(4, 3), SendQueue::Fate::withdrawn);
  EXPECT_TRUE(queue.has_room_for(25)) << "the last one leaves at once";
  EXPECT_EQ(collected(queue), 50u);
  EXPECT_EQ(queue.give_up(1, 0), SendQueue::Fate::begun);
  queue.sent(50, nobody);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.give_up(3, 2), SendQueue::Fate::begun) << "and gone";
}

// The connection's lock is held meanwhile. In time that grows with the square of the number, this test would
// exceed its limit.
TEST(SendQueue, GivingUpManyTakesNoLongerForEachOfThem) {
  constexpr std::uint32_t many = 400'000;
  SendQueue queue(many, 1 << 30);
  const Octets octets = message(20, 1);
  std::vector<SendQueue::Number> numbers;
  for (std::uint32_t id = 0; id < many; ++id) numbers.push_back(queue.add_copy(id, octets, nullptr));
  for (std::uint32_t id = 0; id < many; ++id)
    ASSERT_EQ(queue.give_up(id, numbers[id]), SendQueue::Fate::withdrawn);
  EXPECT_TRUE(queue.empty());
}

TEST(SendQueue, ANumberThatIsGivenAgainIsNotTheOldMessages) {
  SendQueue queue(100, 1000);
  const Octets octets = message(20, 1);
  const auto first = queue.add_copy(1, octets, nullptr);
  EXPECT_EQ(queue.give_up(1, first), SendQueue::Fate::withdrawn);
  EXPECT_EQ(queue.add_copy(2, octets, nullptr), first);
  EXPECT_EQ(queue.give_up(1, first), SendQueue::Fate::begun);
  EXPECT_EQ(collected(queue), 20u) << "the second is still there";
}

TEST(SendQueue, ShortMessagesLeaveAsOnePiece) {
  SendQueue queue(100, 1 << 20);
  const auto add_short = [&](std::uint32_t id) {
    queue.add_copy(id, message(20, static_cast<std::uint8_t>(id)), nullptr);
  };
  for (std::uint32_t id = 1; id <= 4; ++id) add_short(id);
  EXPECT_EQ(queue.give_up(3, 2), SendQueue::Fate::withdrawn);
  std::vector<ByteView> pieces;
  queue.collect(pieces);
  ASSERT_EQ(pieces.size(), 2u) << "one was withdrawn in between";
  EXPECT_EQ(pieces[0].size(), 40u);
  EXPECT_EQ(pieces[0][0], 1);
  EXPECT_EQ(pieces[0][39], 2);
  EXPECT_EQ(pieces[1][0], 4);
  add_short(5);
  queue.sent(30, nobody);
  queue.collect(pieces);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].size(), 10u) << "what is left of the second";
  EXPECT_EQ(pieces[1].size(), 40u);
  queue.sent(50, nobody);
  EXPECT_TRUE(queue.empty());
}

TEST(SendQueue, MemoryOfShortMessagesIsUsedAgain) {
  SendQueue queue(100'000, 100 << 20);
  std::vector<ByteView> pieces;
  std::set<const std::uint8_t*> places;
  for (int round = 0; round < 50; ++round) {
    for (std::uint32_t id = 0; id < 100; ++id) queue.add_copy(id, message(1000, 1), nullptr);
    while (!queue.empty()) {
      queue.collect(pieces);
      std::size_t all = 0;
      for (const ByteView piece : pieces) {
        places.insert(piece.data());
        all += piece.size();
      }
      queue.sent(all, nobody);
    }
  }
  EXPECT_LT(places.size(), 200u) << "of 5000 messages";
}

TEST(SendQueue, TellsWhoWaitsForNoMoreThanThat) {
  SendQueue queue(100, 100);
  Waiter first, second;
  add(queue, 1, message(10, 1), &first);
  add(queue, 2, message(10, 2), &second);
  collected(queue);
  std::deque<Waiter*> told;
  const auto tell = [&](Waiter& waiter) { told.push_back(&waiter); };
  queue.sent(9, tell);
  EXPECT_TRUE(told.empty());
  queue.sent(1, tell);
  EXPECT_EQ(told, std::deque{&first});
  EXPECT_EQ(queue.give_up(2, 1), SendQueue::Fate::begun);
  queue.sent(10, tell);
  EXPECT_EQ(told.size(), 1u) << "the second has given up";
}

TEST(SendQueue, GivingUpTellsWhoMustKnowWhenTheMessageLeaves) {
  SendQueue queue(100, 100);
  static std::deque<std::pair<Waiter*, bool>> left;
  left.clear();
  Waiter begun, withdrawn;
  begun.left =
      withdrawn.left = [](Waiter& waiter, bool whole) noexcept { left.emplace_back(&waiter, whole); };
  add(queue, 1, message(10, 1), &begun);
  collected(queue);
  add(queue, 2, message(10, 2), &withdrawn);
  queue.give_up(2, 1);
  queue.give_up(1, 0);
  queue.give_up(1, 0);
  EXPECT_EQ(left, (std::deque<std::pair<Waiter*, bool>>{{&withdrawn, false}, {&begun, false}}));
  queue.sent(10, [](Waiter&) { ADD_FAILURE() << "told twice"; });
}

TEST(SendQueue, AbandonedMessagesSayWhetherTheyWereBegun) {
  SendQueue queue(100, 1 << 20);
  add(queue, 1, message(60'000, 1));
  add(queue, 2, message(60'000, 2));
  add(queue, 3, message(10, 3));
  EXPECT_EQ(collected(queue), 60'000u);
  queue.give_up(2, 1);
  std::vector<std::pair<std::uint32_t, bool>> ends;
  queue.abandon([&](std::uint32_t id, Waiter*, bool begun) { ends.emplace_back(id, begun); });
  EXPECT_EQ(ends, (std::vector<std::pair<std::uint32_t, bool>>{{1, true}, {3, false}}));
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.has_room_for(1 << 20));
}

TEST(SendQueue, AMessageMayBeBegunBeforeItIsQueued) {
  SendQueue queue(100, 1000);
  add(queue, 1, message(600, 1));
  queue.begin_front(200);
  EXPECT_TRUE(queue.has_room_for(1000)) << "it takes no room";
  EXPECT_EQ(collected(queue), 400u);
  EXPECT_EQ(queue.give_up(1, 0), SendQueue::Fate::begun);
  queue.sent(400, nobody);
  EXPECT_TRUE(queue.empty());
  add(queue, 2, message(600, 2));
  queue.begin_front(0);
  EXPECT_EQ(queue.give_up(2, 1), SendQueue::Fate::withdrawn) << "nothing was sent";
  EXPECT_TRUE(queue.empty());
}

TEST(WaitingCalls, ThatAreLateAreTakenOutAndOthersStay) {
  using Time = std::chrono::steady_clock::time_point;
  using namespace std::chrono_literals;
  WaitingCalls waiting(4);
  std::vector<Waiter> waiters(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    if (i % 3 != 0) waiters[i].late_at = Time(std::chrono::seconds(i));
    waiting.add(2 * i, waiters[i]);
  }
  std::size_t late = 0;
  waiting.take_late(Time(50s), [&](Waiter& waiter, std::uint32_t id) {
    EXPECT_EQ(&waiter, &waiters[id / 2]);
    EXPECT_LE(waiter.late_at, Time(50s));
    ++late;
  });
  EXPECT_EQ(late, 34u);
  EXPECT_EQ(waiting.size(), 66u);
  EXPECT_EQ(waiting.take(2 * 50), nullptr);
  EXPECT_EQ(waiting.take(2 * 51), &waiters[51]);
}

TEST(WaitingCalls, AreFoundByTheirIdsThoughTheseMeetInAChain) {
  WaitingCalls waiting;
  std::vector<Waiter> waiters(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) waiting.add(2 * i, waiters[i]);
  EXPECT_EQ(waiting.size(), 1000u);
  EXPECT_EQ(waiting.take(1), nullptr);
  for (std::uint32_t i = 0; i < 1000; i += 3) EXPECT_EQ(waiting.take(2 * i), &waiters[i]);
  EXPECT_EQ(waiting.take(0), nullptr);
  waiting.end_all({.status = Exchange::Status::retry});
  EXPECT_EQ(waiting.size(), 0u);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(waiters[i].answered, i % 3 != 0) << i;
  EXPECT_EQ(waiting.most_urgent_asleep(), nullptr);
}

TEST(WaitingCalls, KnowTheHighestUrgencyOfThoseThatWait) {
  WaitingCalls waiting;
  EXPECT_EQ(waiting.most_urgent(), 0);
  Waiter usual, some, most, late;
  some.urgency = 5;
  most.urgency = late.urgency = 99;
  late.late_at = {};
  waiting.add(2, usual);
  waiting.add(4, some);
  waiting.add(6, most);
  waiting.add(8, late);
  EXPECT_EQ(waiting.most_urgent(), 99);
  EXPECT_EQ(waiting.take(6), &most);
  EXPECT_EQ(waiting.most_urgent(), 99);
  waiting.take_late(std::chrono::steady_clock::time_point::min() + std::chrono::hours(1'000'000),
                    [](Waiter&, std::uint32_t) {});
  EXPECT_EQ(waiting.most_urgent(), 99) << "it is not late yet";
  waiting.take_late({}, [&](Waiter& waiter, std::uint32_t) { EXPECT_EQ(&waiter, &late); });
  EXPECT_EQ(waiting.most_urgent(), 5);
  some.urgency = 7;
  EXPECT_EQ(waiting.take(4), &some);
  EXPECT_EQ(waiting.most_urgent(), 0);
  waiting.add(4, some);
  EXPECT_EQ(waiting.most_urgent(), 7);
  waiting.end_all({});
  EXPECT_EQ(waiting.most_urgent(), 0);
}

TEST(WaitingCalls, TheMostUrgentThatSleepsIsNextAndTheFirstAmongEquals) {
  WaitingCalls waiting;
  Waiter low, urgent, urgent_too, awake, answered;
  low.urgency = 10;
  urgent.urgency = urgent_too.urgency = 40;
  awake.urgency = answered.urgency = 90;
  low.asleep = urgent.asleep = urgent_too.asleep = answered.asleep = true;
  answered.answered = true;
  // In this order, and in chains in reverse order.
  std::uint32_t id = 20;
  for (Waiter* waiter : {&low, &urgent, &urgent_too, &awake, &answered}) waiting.add(id -= 2, *waiter);
  EXPECT_EQ(waiting.most_urgent_asleep(), &urgent);
  waiting.take(16);
  EXPECT_EQ(waiting.most_urgent_asleep(), &urgent_too);
  waiting.take(14);
  EXPECT_EQ(waiting.most_urgent_asleep(), &low);
  waiting.take(18);
  EXPECT_EQ(waiting.most_urgent_asleep(), nullptr);
}

}  // namespace
}  // namespace takt::client
