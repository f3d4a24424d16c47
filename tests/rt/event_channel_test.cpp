// The costs of an event in a real-time event channel, and its delivery while others flood the channel.
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <takt/rt/rtcorba.h>

#include "channel_fixture.h"
#include "own_priority.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0}, locks{0};
thread_local int permitted = -1;  // allocations of this thread before there is no memory; -1: all

}  // namespace

// These replace the functions of the libraries in this program.
void* operator new(std::size_t size) {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  if (permitted == 0) throw std::bad_alloc();
  if (permitted > 0) --permitted;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto lock = reinterpret_cast<Lock>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  if (counting.load(std::memory_order_relaxed)) ++locks;
  return lock(mutex);
}

namespace takt::rt_events {
namespace {

class Costs : public Channel {
 protected:
  void SetUp() override { of_20_.data().payload().resize(512); }

  // Pushes 1,000 events to each of the types 20 and 21, and waits for their deliveries.
  void pass(const std::atomic<int>& deliveries, int expected) {
    for (int i = 0; i < 1000; ++i) {
      const int before = deliveries;
      channel_->push(of_20_);
      channel_->push(of_21_);
      for (int waits = 0; deliveries - before < expected && waits < 1'000'000; ++waits)
        std::this_thread::yield();
      ASSERT_GE(deliveries - before, expected);
    }
  }

  RtecEventComm::Event of_20_ = event(20, 0), of_21_ = event(21, 0);
};

TEST_F(Costs, AnEventAllocatesNothingAndTakesNoLock) {
  start(
      {.levels = {{"one"}, {"other"}}, .payload_bytes = 512, .slow_after = 1h});  // no supervision meanwhile
  std::atomic<int> deliveries{0}, timers{0};
  const auto counter = std::make_shared<Caller>([&](const EventList& events) {
    ++(events.front().header().type() < first_own_type ? timers : deliveries);
  });
  std::vector<std::unique_ptr<EventConnection>> connections;
  connections.push_back(connect(counter, {.filter = filters::event(20)}));
  connections.push_back(connect(counter, {.filter = filters::event(any_type), .level = 1}));
  connections.push_back(
      connect(counter, {.filter = filters::all({filters::event(21), filters::event(20)}), .level = 1}));
  connections.push_back(connect(
      counter, {.filter = filters::any({filters::every(1ms), filters::unless_within(1ms)}), .level = 1}));
  pass(deliveries, 4);
  EXPECT_TRUE(eventually([&] { return timers > 0; }));
  const int timers_before = timers;
  allocations = locks = 0;
  counting = true;
  pass(deliveries, 4);
  EXPECT_TRUE(eventually([&] { return timers > timers_before; }));
  counting = false;
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(locks, 0);
}

// As many allocations as `permitted` tells.
template <class Call>
void with_memory_for(int number, Call call) {
  permitted = number;
  try {
    call();
  } catch (...) {
    permitted = -1;
    throw;
  }
  permitted = -1;
}

TEST_F(Costs, WantOfMemoryLeavesNoConsumerBehindAndDisconnectingNeedsNone) {
  start({.consumers = 2});
  const auto recorder = std::make_shared<Recorder>();
  const auto other = connect(recorder, {.filter = filters::event(20)});
  const EventSubscription subscription{.filter = filters::any({filters::event(21), filters::every(1h)})};
  std::unique_ptr<EventConnection> connection;
  int failures = 0;
  for (; !connection; ++failures) {
    std::string fault;
    try {
      with_memory_for(failures, [&] {
        auto connected = channel_->connect(recorder, subscription);
        if (connected)
          connection = *std::move(connected);
        else
          fault = std::move(connected.error());
      });
    } catch (const std::bad_alloc&) {
      channel_->push(of_21_);  // there is no consumer
    }
    ASSERT_EQ(fault, "");
    ASSERT_EQ(channel_->counts().consumers.size(), connection ? 2u : 1u) << failures;
  }
  EXPECT_GT(failures, 10);
  channel_->push(event(21, 7));
  EXPECT_TRUE(recorder->has(1));
  with_memory_for(0, [&] { connection.reset(); });
  channel_->push(event(21, 8));
  channel_->push(event(20, 9));
  EXPECT_TRUE(recorder->has(2));
  EXPECT_EQ(recorder->numbers(), (Numbers{7, 9}));
}

TEST(Counters, SeeAllocationsAndLocks) {
  allocations = locks = 0;
  std::mutex mutex;
  counting = true;
  auto* const allocated = new std::vector<int>(1);
  mutex.lock();
  counting = false;
  mutex.unlock();
  delete allocated;
  EXPECT_EQ(allocations, 2);
  EXPECT_EQ(locks, 1);
}

// Uses the processor time of the thread.
void burn(std::chrono::nanoseconds time) {
  const auto used = [] {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  for (const auto end = used() + time; used() < end;) continue;
}

class Flood : public Channel {
 protected:
  void SetUp() override {
    REQUIRE_REAL_TIME();
    CPU_ZERO(&all_);
    ASSERT_EQ(::sched_getaffinity(0, sizeof all_, &all_), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // the channel's threads inherit it
  }
  void TearDown() override { ::sched_setaffinity(0, sizeof all_, &all_); }

  // Ordinary consumers have 800 events to burn for. Returns how many of them were delivered between the push
  // of an event for a consumer of the given level and its delivery.
  int delivered_before_urgent(std::size_t level) {
    start({.levels = {{"urgent", 30'000}, {"ordinary", 10'000}}, .queued_events = 256, .slow_after = 1h});
    if (!channel_) return -1;
    std::atomic<int> flood{0}, at_delivery{-1};
    std::vector<std::unique_ptr<EventConnection>> connections;
    const auto ordinary = std::make_shared<Caller>([&](const EventList&) {
      burn(200us);
      ++flood;
    });
    for (int i = 0; i < 4; ++i)
      connections.push_back(connect(ordinary, {.filter = filters::event(20), .level = 1}));
    connections.push_back(
        connect(std::make_shared<Caller>([&](const EventList&) { at_delivery = flood.load(); }),
                {.filter = filters::event(21), .level = level}));
    int at_push = 0;
    std::thread([&] {
      IDL::traits<RTCORBA::Current>::narrow(orb_->resolve_initial_references("RTCurrent"))
          ->the_priority(32'000);
      for (int i = 0; i < 200; ++i) channel_->push(event(20, i));
      EXPECT_TRUE(eventually([&] { return flood >= 20; }));
      at_push = flood;
      EXPECT_LT(at_push, 700);
      channel_->push(event(21, 0));
      EXPECT_TRUE(eventually([&] { return at_delivery >= 0; }));
    }).join();
    const int between = at_delivery - at_push;
    channel_.reset();
    return between;
  }

 private:
  cpu_set_t all_{};
};

TEST_F(Flood, DoesNotDelayAnUrgentEvent) { EXPECT_EQ(delivered_before_urgent(0), 0); }

// The planted fault, which shows that the test above can fail.
TEST_F(Flood, DelaysAnEventOfItsOwnLevel) { EXPECT_GE(delivered_before_urgent(1), 16); }

}  // namespace
}  // namespace takt::rt_events
