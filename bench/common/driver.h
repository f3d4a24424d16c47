// The client side of every peer: the workloads, using the peer's own Client and Session.
//
//   Client:   Session connect(endpoint), called in the thread that will use the session
//   Session:  cube_octet(x), cube_long(x), cube_struct(x), cube_void(), echo(text), digest(); pings(count),
//             which hands over that many oneway calls; send_octets(data), send_longs(data) and
//             send_structs(data), each of which prepares the peer's own form of the data and returns a
//             callable that sends it.
#pragma once

#include <algorithm>
#include <barrier>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "common/inversion.h"
#include "common/options.h"
#include "common/priorities.h"
#include "common/record.h"
#include "common/workload.h"

namespace bench {

template <class Session>
void checked_cube(Session& session, std::size_t i) {
  const auto x = static_cast<std::uint8_t>(i);
  check(session.cube_octet(x) == cube(x), "cube_octet returned the wrong value");
}

template <class Client>
class Driver {
 public:
  Driver(Client& client, const Options& options)
      : client_(client),
        peer_(options.text("peer", "peer")),
        transport_(options.text("transport", "tcp")),
        endpoint_(endpoint_at(options.text("endpoint"), 0)),
        limit_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(options.number("seconds", 0.6)))) {
    calls_ = static_cast<std::size_t>(options.number("calls", 20000));
    references_ = static_cast<std::size_t>(options.number("references", 1));
    std::istringstream names(options.text("workloads"));
    for (std::string name; std::getline(names, name, ',');) wanted_.insert(name);
    if (options.has("at")) run_at(client_, static_cast<int>(options.number("at", 0)));
  }

  void run() {
    two_way();
    for (int threads : {1, 2, 8, 50}) throughput(threads);
  }

  // Makes calls of one kind and nothing else, for counting the cost of a call.
  void run_bare(const std::string& workload, std::size_t calls) {
    auto session = client_.connect(endpoint_);
    const auto repeat = [calls](auto call) {
      for (std::size_t i = 0; i < calls; ++i) call(i);
    };
    if (workload == "void") {
      repeat([&](std::size_t) { session.cube_void(); });
    } else if (workload == "string") {
      const std::string text = make_string();
      repeat([&](std::size_t) { session.echo(text); });
    } else if (workload == "structs") {
      repeat([send = session.send_structs(make_structs())](std::size_t) mutable { send(); });
    } else if (workload == "octets_64k") {
      repeat([send = session.send_octets(make_octets(1 << 16))](std::size_t) mutable { send(); });
    } else {
      check(workload == "octet", "unknown workload");
      std::vector<decltype(session)> others;
      while (others.size() + 1 < references_) others.push_back(client_.connect(endpoint_));
      repeat([&](std::size_t i) {
        const std::size_t number = i % references_;
        checked_cube(number == 0 ? session : others[number - 1], i);
      });
    }
    record(workload).number("n", static_cast<double>(calls)).print();
  }

  // A steady stream of calls with a record for each of twenty parts; resources must not grow between them.
  void run_soak(std::size_t calls) {
    constexpr std::size_t parts = 20;
    auto session = client_.connect(endpoint_);
    Samples samples(calls / parts);
    for (std::size_t part = 0; part < parts; ++part) {
      samples.clear();
      call_until(Clock::time_point::max(), samples, [&](std::size_t i) { checked_cube(session, i); });
      record("soak").number("part", static_cast<double>(part)).latency(samples).print();
    }
  }

 private:
  static constexpr unsigned burst = 100;  // oneway calls per sample

  bool wanted(const std::string& workload) const { return wanted_.empty() || wanted_.contains(workload); }
  Record record(const std::string& workload) const { return {peer_, transport_, workload}; }

  void two_way() {
    auto session = client_.connect(endpoint_);
    if (wanted("cube_octet")) {
      Samples samples = measure(calls_, [&](std::size_t i) { checked_cube(session, i); }).samples;
      record("cube_octet").latency(samples).print();
    }
    if (wanted("cube_void")) {
      Samples samples = measure(20000, [&](std::size_t) { session.cube_void(); }).samples;
      record("cube_void").latency(samples).print();
    }
    if (wanted("cube_long")) {
      Samples samples = measure(20000, [&](std::size_t i) {
                          const auto x = static_cast<std::int32_t>(i);
                          check(session.cube_long(x) == cube(x), "cube_long returned the wrong value");
                        }).samples;
      record("cube_long").latency(samples).print();
    }
    if (wanted("cube_struct")) {
      Samples samples = measure(20000, [&](std::size_t i) {
                          const BinStruct x = make_struct(static_cast<int>(i));
                          check(session.cube_struct(x) == cube(x), "cube_struct returned the wrong value");
                        }).samples;
      record("cube_struct").latency(samples).print();
    }
    if (wanted("ping_burst")) ping_bursts(session);
    for (auto [name, size, calls] : {std::tuple{"octets_4", 4u, 10000u},
                                     {"octets_64", 64u, 10000u},
                                     {"octets_1k", 1u << 10, 10000u},
                                     {"octets_4k", 1u << 12, 10000u},
                                     {"octets_64k", 1u << 16, 4000u},
                                     {"octets_1m", 1u << 20, 400u},
                                     {"octets_4m", 1u << 22, 100u}}) {
      if (!wanted(name)) continue;
      const auto data = make_octets(size);
      payload(session, name, calls, size, digest_octets(data.data(), size), session.send_octets(data));
    }
    for (auto [name, count] : {std::pair{"longs_1", std::size_t{1}}, {"longs_1024", elements}}) {
      const auto longs = make_longs(count);
      payload(session, name, 5000, static_cast<double>(count * sizeof longs[0]), digest_longs(longs),
              session.send_longs(longs));
    }
    const auto structs = make_structs();
    payload(session, "structs_1024", 5000, elements * sizeof structs[0], digest_structs(structs),
            session.send_structs(structs));
  }

  // A sample is a burst, measured until the server has received all of it.
  template <class Session>
  void ping_bursts(Session& session) {
    std::uint32_t expected = session.digest();
    auto result = measure(500, [&](std::size_t) {
      session.pings(burst);
      expected += burst;
      int polls = 0;
      while (session.digest() != expected) check(++polls < 100000, "oneway calls were lost");
    });
    record("ping_burst")
        .latency(result.samples, burst)
        .number("calls_per_s", burst * 1e9 / result.samples.mean_ns())
        .print();
  }

  template <class Session, class Send>
  void payload(Session& session, const std::string& workload, std::size_t calls, double bytes,
               std::uint32_t digest, Send send) {
    if (!wanted(workload)) return;
    const std::uint32_t before = session.digest();
    auto result = measure(std::min(calls, calls_), [&](std::size_t) { send(); });
    check(session.digest() - before == digest * static_cast<std::uint32_t>(result.calls),
          "the server did not receive what was sent");
    record(workload)
        .latency(result.samples)
        .number("bytes_per_s", bytes * 1e9 / result.samples.mean_ns())
        .print();
  }

  struct Measured {
    Samples samples;
    std::size_t calls;  // warm-up included
  };
  template <class Call>
  Measured measure(std::size_t count, Call call) {
    const std::size_t enough = std::min<std::size_t>(count / 10, 500);
    const auto warm_at = Clock::now() + limit_;
    std::size_t warmup = 0;
    while (warmup < enough && Clock::now() < warm_at) call(warmup++);
    Samples samples(count);
    call_until(Clock::now() + limit_, samples, call);
    return {samples, warmup + samples.size()};
  }

  // One clock reading per call: the end of a call is the start of the next.
  template <class Call>
  static void call_until(Clock::time_point deadline, Samples& samples, Call call) {
    auto last = Clock::now();
    for (std::size_t i = 0; !samples.full() && last < deadline; ++i) {
      call(i);
      const auto now = Clock::now();
      samples.add(now - last);
      last = now;
    }
  }

  void throughput(int threads) {
    const std::string workload = "cube_octet_t" + std::to_string(threads);
    if (!wanted(workload)) return;
    constexpr std::size_t capacity = 200000;  // calls by one thread
    const auto count = static_cast<std::size_t>(threads);
    std::vector<Samples> samples(count, Samples(0));
    std::vector<Clock::time_point> ends(count);
    Clock::time_point start;
    std::barrier ready(threads, [&start]() noexcept { start = Clock::now(); });
    {
      std::vector<std::jthread> callers;
      for (std::size_t i = 0; i < count; ++i)
        callers.emplace_back([&, i] {
          Samples own(capacity);
          auto session = client_.connect(endpoint_);
          for (std::size_t k = 0; k < 20; ++k) checked_cube(session, k);
          ready.arrive_and_wait();
          call_until(start + limit_ / 2, own, [&](std::size_t k) { checked_cube(session, k); });
          ends[i] = Clock::now();
          samples[i] = std::move(own);
        });
    }
    const double elapsed = seconds_of(*std::max_element(ends.begin(), ends.end()) - start);
    Samples all(0);
    for (const auto& own : samples) all.append(own);
    record(workload)
        .latency(all)
        .number("threads", threads)
        .number("calls_per_s", static_cast<double>(all.size()) / elapsed)
        .print();
  }

  Client& client_;
  std::string peer_, transport_, endpoint_;
  Clock::duration limit_;  // for one workload; `throughput` takes half
  std::set<std::string> wanted_;
  std::size_t calls_ = 0;       // for cube_octet; the maximum for a payload
  std::size_t references_ = 1;  // to the same object, used in turn
};

// `--at PRIORITY`: the SCHED_FIFO priority of the calling thread; `--bare N --workload NAME`: N calls of one
// kind; `--soak N`: N calls in twenty parts. Without these, runs the workloads in `--workloads A,B`.
template <class Client>
void drive_calls(Client& client, const Options& options) {
  Driver driver(client, options);
  if (options.has("bare"))
    driver.run_bare(options.text("workload", "octet"), static_cast<std::size_t>(options.number("bare", 0)));
  else if (options.has("soak"))
    driver.run_soak(static_cast<std::size_t>(options.number("soak", 0)));
  else
    driver.run();
}

// Additional options: `--low-clients N --variant paced|distinct|saturated|burning`, see priorities.h;
// `--faster TIMES`: four rates and priorities, see inversion.h.
template <class Client>
void drive(Client& client, const Options& options) {
  if (options.has("low-clients")) return PriorityDriver(client, options).run();
  if (options.has("faster")) return InversionDriver(client, options).run();
  drive_calls(client, options);
}

}  // namespace bench
