// bench_events_channel flow CONSUMERS OCTETS SECONDS: one supplier pushes events to a real-time event channel
// of this process, and that many consumers receive them. Prints what bench::drive() says.
//
// bench_events_channel urgent SECONDS: an urgent event each millisecond passes a channel, one second alone
// and one second beside a flood of ordinary events, in turn. Prints the median and the 99th percentile in
// microseconds, from before push() to the consumer, alone and beside the flood; and the ordinary events per
// second.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <takt/corba.h>

#include "parts.h"
#include "rt_events/event_channel.h"

namespace {

using bench::Clock;
using takt::EventChannel;
constexpr std::int32_t urgent_type = 20, ordinary_type = 21;
// RT-CORBA priorities, from 0 to 32767, that the ORB maps to different ones of the system.
constexpr std::int16_t urgent_priority = 20'000, ordinary_priority = 5'000;
constexpr int measuring_priority = 90, flooding_priority = 1;  // SCHED_FIFO

class Counter : public takt::EventConsumer {
 public:
  void push(const takt::EventList& events) override {
    received.fetch_add(events.size(), std::memory_order_release);
  }
  std::atomic<std::uint64_t> received{0};
};

// Takes the time of each event's arrival.
class Timer final : public takt::EventConsumer {
 public:
  void push(const takt::EventList&) override {
    arrived.store(Clock::now().time_since_epoch().count(), std::memory_order_release);
  }
  std::atomic<Clock::rep> arrived{0};
};

// Works on each event for 20 microseconds.
class Worker final : public Counter {
 public:
  void push(const takt::EventList& events) override {
    const auto end = Clock::now() + std::chrono::microseconds(20) * events.size();
    while (Clock::now() < end) {
    }
    Counter::push(events);
  }
};

std::unique_ptr<EventChannel> start(CORBA::object_reference<CORBA::ORB> orb,
                                    std::vector<takt::EventLevel> levels) {
  auto channel = EventChannel::start(
      std::move(orb),
      {.levels = std::move(levels), .queued_events = 1024, .queued_bytes = std::size_t{64} << 20});
  if (!channel) throw std::runtime_error(channel.error());
  return *std::move(channel);
}

auto connect(EventChannel& channel, std::shared_ptr<takt::EventConsumer> consumer, std::int32_t type,
             std::size_t level) {
  auto connection =
      channel.connect(std::move(consumer), {.filter = takt::rt_events::filters::event(type), .level = level});
  if (!connection) throw std::runtime_error(connection.error());
  return *std::move(connection);
}

RtecEventComm::Event event(std::int32_t type, std::size_t octets) {
  RtecEventComm::Event made;
  made.header().type(type);
  made.header().source(1);
  made.header().ttl(1);
  made.data().payload().resize(octets);
  return made;
}

void flow(const CORBA::object_reference<CORBA::ORB>& orb, std::size_t consumers, std::size_t octets,
          double seconds) {
  const auto channel = start(orb, {{"all"}});
  std::vector<std::shared_ptr<Counter>> counters;
  std::vector<std::unique_ptr<takt::EventConnection>> connections;
  for (std::size_t i = 0; i < consumers; ++i) {
    counters.push_back(std::make_shared<Counter>());
    connections.push_back(connect(*channel, counters.back(), urgent_type, 0));
  }
  const auto pushed = event(urgent_type, octets);
  const auto least = [&] {
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& each : counters) least = std::min(least, each->received.load(std::memory_order_acquire));
    return least;
  };
  bench::drive([&] { channel->push(pushed); }, least, consumers, seconds, "0");
}

void use_priority(int priority) {
  const sched_param parameters{.sched_priority = priority};
  if (::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) != 0)
    throw std::runtime_error("SCHED_FIFO may not be used");
}

void urgent(const CORBA::object_reference<CORBA::ORB>& orb, double seconds) {
  const auto channel = start(orb, {{"urgent", urgent_priority}, {"ordinary", ordinary_priority}});
  const auto timer = std::make_shared<Timer>();
  const auto worker = std::make_shared<Worker>();
  const auto to_timer = connect(*channel, timer, urgent_type, 0),
             to_worker = connect(*channel, worker, ordinary_type, 1);
  std::atomic<bool> floods{false}, stops{false};
  std::jthread flood([&] {
    // Events for half of a processor's time, because Linux takes some from real-time threads that need all.
    use_priority(flooding_priority);
    const auto ordinary = event(ordinary_type, 64);
    while (!stops) {
      for (int i = 0; i < 20 && floods; ++i) channel->push(ordinary);
      std::this_thread::sleep_for(std::chrono::microseconds(800));
    }
  });
  use_priority(measuring_priority);
  const auto one = event(urgent_type, 64);
  std::vector<double> us[2];
  std::uint64_t ordinary = 0;
  for (int second = 0; second < 2 * static_cast<int>(seconds); ++second) {
    floods = second % 2 == 1;
    const std::uint64_t before = worker->received;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int i = 0; i < 1'000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const auto begin = Clock::now();
      timer->arrived = 0;
      channel->push(one);
      while (timer->arrived.load(std::memory_order_acquire) == 0)
        std::this_thread::sleep_for(
            std::chrono::microseconds(20));  // the consumer's thread has less priority
      us[second % 2].push_back(
          bench::microseconds(Clock::duration(timer->arrived) - begin.time_since_epoch()));
    }
    if (floods) ordinary += worker->received - before;
  }
  stops = true;
  for (auto& each : us)
    std::cout << bench::percentile(each, 0.5) << ' ' << bench::percentile(each, 0.99) << ' ';
  std::cout << static_cast<double>(ordinary) / seconds << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc == 5 && std::strcmp(argv[1], "flow") == 0)
    flow(orb, std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10), std::atof(argv[4]));
  else if (argc == 3 && std::strcmp(argv[1], "urgent") == 0)
    urgent(orb, std::atof(argv[2]));
  else
    throw std::runtime_error("give flow, consumers, octets and seconds, or urgent and seconds");
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_events_channel: " << failure.what() << '\n';
  return 1;
}
