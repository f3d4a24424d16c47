// Channels when there is no memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "channel_fixture.h"

namespace {

// Whether allocations fail: in no thread, in all, or in all but one.
std::atomic<bool> fails{false};
std::atomic<std::thread::id> may_allocate{};

void* allocated(std::size_t octets) {
  if (!fails.load() || may_allocate.load() == std::this_thread::get_id())
    if (void* const memory = std::malloc(octets ? octets : 1)) return memory;
  throw std::bad_alloc();
}

class WithoutMemory {
 public:
  explicit WithoutMemory(std::thread::id except = {}) {
    may_allocate = except;
    fails = true;
  }
  ~WithoutMemory() { fails = false; }
};

}  // namespace

void* operator new(std::size_t octets) { return allocated(octets); }
void* operator new[](std::size_t octets) { return allocated(octets); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace takt::rt_events {
namespace {

TEST_F(Channel, StopsWithoutMemory) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  std::vector<std::unique_ptr<EventConnection>> connections;
  for (int i = 0; i < 20; ++i)
    connections.push_back(
        connect(consumer, {.filter = filters::any({filters::event(20), filters::every(1h)})}));
  channel_->push(event(20, 1, 1));
  ASSERT_TRUE(consumer->has(20));
  {
    const WithoutMemory none;
    channel_->stop();
  }
  EXPECT_TRUE(channel_->counts().consumers.empty());
  EXPECT_EQ(channel_->counts().events, 0u);
  const WithoutMemory none;
  for (auto& each : connections) each->disconnect();
}

// The thread of the timers takes them over, fires and forgets them.
TEST_F(Channel, HasTimersWithoutMemory) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const WithoutMemory none(std::this_thread::get_id());
  std::vector<std::unique_ptr<EventConnection>> connections;
  for (int i = 0; i < 100; ++i)
    connections.push_back(
        connect(consumer, {.filter = filters::any({filters::every(1h), filters::after(1ms + 10us * i)})}));
  EXPECT_TRUE(eventually([this] {
    return std::ranges::all_of(channel_->counts().consumers, [](const ConnectionCounts& each) {
      return each.deliveries + each.failures > 0;
    });
  }));
  connections.clear();
  channel_->stop();
}

TEST_F(Channel, RefusesEventsForWhichThereIsNoMemory) {
  start();
  const auto consumer = std::make_shared<Recorder>();
  const auto connection = connect(consumer, {.filter = filters::event(20)});
  RtecEventComm::Event large = event(20, 1, 1);
  large.data().payload().resize(100'000);
  {
    const WithoutMemory none;
    channel_->push(large);
  }
  EXPECT_EQ(channel_->counts().refused, 1u);
  EXPECT_EQ(channel_->counts().events, 0u);
  channel_->push(event(20, 2, 1));
  EXPECT_TRUE(consumer->has(1));
}

}  // namespace
}  // namespace takt::rt_events
