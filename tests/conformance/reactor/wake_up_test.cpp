#include <signal.h>

#include <atomic>
#include <thread>

#include "reactors.h"

namespace takt::os {

template <class T>
class ReactorWakeUpTest : public ReactorTest<T> {};
TYPED_TEST_SUITE(ReactorWakeUpTest, Reactors, ReactorName);

TYPED_TEST(ReactorWakeUpTest, ANotificationBeforeTheWaitEndsIt) {
  this->reactor->notify();
  this->reactor->notify();
  EXPECT_EQ(this->reactor->run_once(for_ever), 0u);
}

TYPED_TEST(ReactorWakeUpTest, EveryNotificationOfAnotherThreadIsNoticed) {
  constexpr int rounds = 2000;
  std::atomic<int> written = 0, seen = 0;
  std::thread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      written.store(i, std::memory_order_relaxed);  // notify() orders it
      this->reactor->notify();
      while (seen.load() < i) std::this_thread::yield();
    }
  });
  while (seen.load() < rounds) {
    this->reactor->run_once(for_ever);
    seen.store(written.load(std::memory_order_relaxed));
  }
  other.join();
}

TYPED_TEST(ReactorWakeUpTest, AHandlerMayNotify) {
  Pair pair;
  Recorder handler([&] {
    pair.receive();
    this->reactor->notify();
  });
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(this->reactor->run_once(for_ever), 0u);
}

TYPED_TEST(ReactorWakeUpTest, ADescriptorThatBecomesReadyEndsTheWait) {
  Pair pair;
  Recorder handler;
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  std::thread other([&] { pair.send(); });
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  other.join();
}

Reactor* notified_by_signal = nullptr;

TYPED_TEST(ReactorWakeUpTest, ASignalHandlerMayNotify) {
  notified_by_signal = this->reactor.get();
  struct sigaction action{};
  action.sa_handler = [](int) { notified_by_signal->notify(); };
  ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
  const pthread_t self = ::pthread_self();
  // Repeated, because a sanitizer may delay a signal until the next one.
  std::atomic<bool> returned = false;
  std::thread other([&] {
    while (!returned) {
      ::pthread_kill(self, SIGUSR1);
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(this->reactor->run_once(for_ever), 0u);
  returned = true;
  other.join();
}

}  // namespace takt::os
