// A channel, and consumers that record what they get.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <mutex>

#include <takt/corba.h>

#include "../../eventually.h"
#include "rt_events/event_channel.h"

namespace takt::rt_events {

using namespace std::chrono_literals;
using takt::test::eventually;
using Numbers = std::vector<std::int32_t>;

inline RtecEventComm::Event event(std::int32_t type, std::int32_t number, std::int32_t source = 1) {
  RtecEventComm::Event event;
  event.header().type(type);
  event.header().source(source);
  event.data().pad1(number);
  return event;
}

// Records the number of each event, and -type for those of timers.
class Recorder : public EventConsumer {
 public:
  void push(const EventList& events) override {
    const std::lock_guard lock(mutex_);
    ++calls_;
    for (const auto& each : events)
      numbers_.push_back(each.header().type() < first_own_type ? -each.header().type() : each.data().pad1());
  }
  Numbers numbers() const {
    const std::lock_guard lock(mutex_);
    return numbers_;
  }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }
  bool has(std::size_t count) const {
    return eventually([&] { return numbers().size() >= count; });
  }

 private:
  mutable std::mutex mutex_;
  Numbers numbers_;
  int calls_ = 0;
};

// Calls a function for each delivery.
class Caller : public EventConsumer {
 public:
  explicit Caller(std::function<void(const EventList&)> call) : call_(std::move(call)) {}
  void push(const EventList& events) override { call_(events); }

 private:
  const std::function<void(const EventList&)> call_;
};

class Channel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    int none = 0;
    orb_ = CORBA::ORB_init(none, nullptr, "rt_events");
  }
  static void TearDownTestSuite() {
    orb_->destroy();
    orb_ = nullptr;
  }

  void start(EventChannelOptions options = {}) {
    auto started = EventChannel::start(orb_, std::move(options));
    ASSERT_TRUE(started) << started.error();
    channel_ = *std::move(started);
  }
  std::unique_ptr<EventConnection> connect(std::shared_ptr<EventConsumer> consumer,
                                           EventSubscription subscription) {
    auto connected = channel_->connect(std::move(consumer), subscription);
    if (connected) return *std::move(connected);
    ADD_FAILURE() << connected.error();
    return nullptr;
  }
  std::string fault_of(EventSubscription subscription) {
    const auto connected = channel_->connect(std::make_shared<Recorder>(), subscription);
    return connected ? "" : connected.error();
  }

  static inline CORBA::object_reference<CORBA::ORB> orb_;
  std::unique_ptr<EventChannel> channel_;
};

}  // namespace takt::rt_events
