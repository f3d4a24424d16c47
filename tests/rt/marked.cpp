// An urgent client beside a low-priority flood, over the link to the server.
//
//   rt_marked server [ORB option ...]
//       prints READY and a reference; until its input ends
//   rt_marked banded [ORB option ...]
//       the same, of an object with a band for each priority
//   rt_marked calls REFERENCE COUNT [ORB option ...]
//       calls at both priorities, without a flood
//   rt_marked classes REFERENCE COUNT [ORB option ...]
//       calls of two classes: burst of importance 3, isochronous of importance 2
//   rt_marked rounds REFERENCE COUNT ROUNDS [ORB option ...]
//       prints ROUNDS lines: the 99th percentile of COUNT calls in us, on the quiet link and beside the flood
#include <takt/corba.h>
#include <takt/reference/quality.h>
#include <takt/rt/rtcorba.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <latch>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "markedS.h"

namespace {

using Clock = std::chrono::steady_clock;
using Orb = IDL::traits<CORBA::ORB>::ref_type;
using SinkRef = IDL::traits<Marked::Sink>::ref_type;

constexpr std::int16_t low = 10, urgent = 40;
constexpr std::size_t urgent_octets = 2048, pushed_octets = 16 * 1024;
constexpr int pushing_threads = 2, pulling_threads = 4;
constexpr std::chrono::seconds longest_phase{4};  // limit for a phase that the flood slows down

class Sink final : public virtual CORBA::servant_traits<Marked::Sink>::base_type {
 public:
  Marked::Octets echo(const Marked::Octets& sent) override { return sent; }
  void push(const Marked::Octets&) override {}
  Marked::Octets pull(std::int32_t octets) override {
    return Marked::Octets(static_cast<std::size_t>(octets), 7);
  }
};

Orb make_orb(int& argc, char** argv) { return CORBA::ORB_init(argc, argv, "marked"); }

IDL::traits<PortableServer::POA>::ref_type with_bands(
    const Orb& orb, const IDL::traits<PortableServer::POA>::ref_type& root) {
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
  return root->create_POA(
      "banded", root->the_POAManager(),
      {rt->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED, low),
       rt->create_priority_banded_connection_policy({{0, urgent - 1}, {urgent, RTCORBA::maxPriority}})});
}

int serve(bool banded, int argc, char** argv) {
  const Orb orb = make_orb(argc, argv);
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  const auto poa = banded ? with_bands(orb, root) : root;
  const auto id = poa->activate_object(CORBA::make_reference<Sink>());
  std::cout << "READY\t" << orb->object_to_string(poa->id_to_reference(id)) << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  orb->shutdown(true);
  orb->destroy();
  return 0;
}

void run_at(const Orb& orb, std::int16_t priority) {
  IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))->the_priority(priority);
}

// Sends in threads of its own; can be started and ended repeatedly.
class Flood {
 public:
  Flood(const Orb& orb, const SinkRef& sink) {
    for (int i = 0; i < pushing_threads + pulling_threads; ++i)
      threads_.emplace_back([this, orb, sink, i](const std::stop_token& stop) {
        run_at(orb, low);
        work(sink, i < pushing_threads, stop);
      });
  }
  ~Flood() {
    for (std::jthread& thread : threads_) thread.request_stop();
    on_ = true;
    on_.notify_all();
  }
  void begin() {
    on_ = true;
    on_.notify_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // until it fills the queues
  }
  // Returns when none of its messages are in transit.
  void end() {
    on_ = false;
    for (int busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  }

 private:
  void work(const SinkRef& sink, bool pushes, const std::stop_token& stop) {
    const Marked::Octets octets(pushed_octets, 7);
    for (;;) {
      on_.wait(false);
      if (stop.stop_requested()) return;
      ++busy_;
      while (on_ && !stop.stop_requested()) {
        if (pushes)
          sink->push(octets);
        else
          sink->pull(pushed_octets);
      }
      sink->pull(0);
      --busy_;
      busy_.notify_all();
      if (stop.stop_requested()) return;
    }
  }

  std::atomic<bool> on_{false};
  std::atomic<int> busy_{0};
  std::vector<std::jthread> threads_;
};

// The 99th percentile of `count` calls, or of fewer if the time limit is reached.
double p99_of(const SinkRef& sink, std::size_t count) {
  const Marked::Octets octets(urgent_octets, 7);
  std::vector<double> micros;
  const auto end = Clock::now() + longest_phase;
  while (micros.size() < count && Clock::now() < end) {
    const auto begin = Clock::now();
    if (sink->echo(octets) != octets) throw CORBA::INTERNAL();
    micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::ranges::sort(micros);
  return micros[micros.size() * 99 / 100];
}

void measure(const Orb& orb, const SinkRef& sink, std::size_t count, int rounds) {
  Flood flood(orb, sink);
  run_at(orb, urgent);
  p99_of(sink, 100);
  for (int round = 0; round < rounds; ++round) {
    const double quiet = p99_of(sink, count);
    flood.begin();
    const double busy = p99_of(sink, count);
    flood.end();
    std::printf("%.1f %.1f\n", quiet, busy);
    std::fflush(stdout);
  }
}

void call_at_both(const Orb& orb, const SinkRef& sink, std::size_t count) {
  const Marked::Octets octets(urgent_octets, 7);
  for (std::size_t i = 0; i < count; ++i)
    for (const std::int16_t priority : {low, urgent}) {
      run_at(orb, priority);
      if (sink->echo(octets) != octets) throw CORBA::INTERNAL();
    }
}

void call_by_classes(const SinkRef& sink, std::size_t count) {
  using takt::CommunicationClass;
  const Marked::Octets octets(urgent_octets, 7);
  for (std::size_t i = 0; i < count; ++i)
    for (const bool is_urgent : {false, true}) {
      const takt::QualityScope scope(
          {.importance = is_urgent ? 2u : 3u,
           .communication = is_urgent ? CommunicationClass::isochronous : CommunicationClass::burst});
      if (sink->echo(octets) != octets) throw CORBA::INTERNAL();
    }
}

int call(std::string_view what, int argc, char** argv) {
  const Orb orb = make_orb(argc, argv);
  const auto sink = IDL::traits<Marked::Sink>::unchecked_narrow(orb->string_to_object(argv[2]));
  const std::size_t count = std::stoul(argv[3]);
  if (what == "calls")
    call_at_both(orb, sink, count);
  else if (what == "classes")
    call_by_classes(sink, count);
  else
    measure(orb, sink, count, std::stoi(argv[4]));
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "server" || what == "banded") return serve(what == "banded", argc, argv);
    if ((what == "calls" || what == "classes") && argc > 3) return call(what, argc, argv);
    if (what == "rounds" && argc > 4) return call(what, argc, argv);
    std::cerr << "usage: rt_marked server|banded|calls REFERENCE COUNT|classes REFERENCE COUNT|rounds "
                 "REFERENCE COUNT "
                 "ROUNDS [ORB option ...]\n";
  } catch (const std::exception& failure) {
    std::cerr << "rt_marked: " << failure.what() << "\n";
  }
  return 1;
}
