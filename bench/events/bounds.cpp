// bench_events_bounds --graphs N --seconds N --seed N --margin PERCENT [--calibration SECONDS]: random
// suppliers and consumers of a real-time event channel in this process, all on one core, with the priorities
// of a schedule whose analysis proves every deadline. Measures each time from the release of a supplier to
// the end of a consumer, beside its bound. Prints a line of JSON for each graph.
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include "common/options.h"
#include "common/serve.h"
#include "rt_events/event_channel.h"
#include "rt_events/schedule/event_dependencies.h"
#include "schedulability/analysis/analysis.h"
#include "schedulability/simulation/random_sets.h"
#include "schedule/hiccups.h"

namespace {

using namespace bench;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using takt::EventChannel;
using takt::rt_events::EventDependencies;
using takt::rt_events::Filter;
using takt::rt_events::Publication;
using takt::scheduling::Analysis;
using takt::scheduling::Handle;
using takt::scheduling::RandomSets;
using takt::scheduling::Repository;
using OrbRef = CORBA::object_reference<CORBA::ORB>;
namespace filters = takt::rt_events::filters;

constexpr std::int16_t most_urgent = 80;  // as a SCHED_FIFO priority
constexpr double least_utilisation = 0.4, most_utilisation = 0.7;
constexpr std::int32_t first_type = 20, last_type = 24;

std::int16_t priority_of(int level) { return static_cast<std::int16_t>(most_urgent - level); }

struct Settings {
  double margin = 0;              // a fraction of all times that the analysis gets
  nanoseconds push{}, deliver{};  // time that the channel takes for each
  nanoseconds hold_up{};          // delay of the most urgent thread by the machine
  nanoseconds length{}, calibration{};
};

struct Supplier {
  nanoseconds period{}, execution{};
  std::vector<Publication> publications;
};
struct Consumer {
  nanoseconds execution{};
  filters::Entries filter;
};
struct Graph {
  std::vector<Supplier> suppliers;
  std::vector<Consumer> consumers;
};

Graph random_graph(RandomSets& random, nanoseconds hold_up) {
  constexpr std::int64_t periods_ms[] = {10, 20, 40, 80};
  std::int64_t times = 1;  // no period so short that the machine's own delays could exceed a third of it
  while (10ms * times < 3 * hold_up) times *= 2;
  Graph graph;
  for (auto left = random.between(1, 5); left > 0; --left) {
    const auto period =
        std::chrono::milliseconds(random.one_of(std::span<const std::int64_t>(periods_ms)) * times);
    Supplier& supplier =
        graph.suppliers.emplace_back(Supplier{period, random.between(50, 2'500) * 1us * times, {}});
    for (auto kinds = random.between(1, 2); kinds > 0; --kinds)
      supplier.publications.push_back({static_cast<std::int32_t>(random.between(first_type, last_type)),
                                       static_cast<std::int32_t>(graph.suppliers.size()),
                                       random.between(1, 2)});
  }
  for (auto left = random.between(1, 6); left > 0; --left) {
    const auto type = static_cast<std::int32_t>(random.between(first_type, last_type));
    const auto next = type == last_type ? first_type : type + 1;
    const auto filter = random.between(0, 2) == 0 ? filters::any({filters::event(type), filters::event(next)})
                                                  : filters::event(type);
    graph.consumers.push_back({random.between(20, 1'500) * 1us * times, filter});
  }
  return graph;
}

// The handles of suppliers are their index and 1; those of consumers follow.
std::optional<Analysis> feasible(const Graph& graph, const Settings& settings) {
  Repository repository;
  EventDependencies declared;
  const auto declare = [&](nanoseconds execution, nanoseconds period) {
    const auto handle = repository.create("operation " + std::to_string(repository.infos().size() + 1));
    takt::scheduling::Requirements needs;
    needs.worstcase_execution_time = nanoseconds(
        static_cast<std::int64_t>(static_cast<double>(execution.count()) * (1 + settings.margin)));
    needs.period = period;
    needs.blocking = settings.hold_up;
    if (!handle || !repository.set(*handle, needs)) throw std::runtime_error("an operation is refused");
    return *handle;
  };
  double used = 0;  // without margins
  std::map<Handle, double> rates;
  for (const Supplier& each : graph.suppliers) {
    std::int64_t pushes = 0;
    for (const Publication& publication : each.publications) pushes += publication.times;
    const Handle handle = declare(each.execution + pushes * settings.push, each.period);
    declared.add_supplier(handle, each.publications);
    rates[handle] = 1 / std::chrono::duration<double>(each.period).count();
    used += rates[handle] * std::chrono::duration<double>(each.execution).count();
  }
  for (const Consumer& each : graph.consumers)
    declared.add_consumer(declare(each.execution + settings.deliver, {}), *Filter::parse(each.filter));
  for (const auto& each : declared.calls()) {
    if (!repository.add_dependency(each.caller, each.callee, each.times,
                                   takt::scheduling::DependencyType::one_way))
      throw std::runtime_error("a call is refused");
    const auto& consumer =
        graph.consumers[static_cast<std::size_t>(each.callee) - 1 - graph.suppliers.size()];
    used += rates[each.caller] * static_cast<double>(each.times) *
            std::chrono::duration<double>(consumer.execution).count();
  }
  if (declared.calls().empty() || used < least_utilisation || used > most_utilisation) return {};
  auto analysis = analyse(repository, {});
  if (!analysis || analysis->verdict != takt::scheduling::Verdict::meets) return {};
  return std::move(*analysis);
}

// Works on each event, and measures from the release that it carries. Its source is the supplier's number.
class Worker final : public takt::EventConsumer {
 public:
  Worker(nanoseconds execution, std::size_t suppliers) : execution_(execution), longest_(suppliers + 1) {}
  void push(const takt::EventList& events) override {
    for (const auto& event : events) {
      if (execution_ > nanoseconds(0)) work_for(execution_);
      const auto& header = event.header();
      const nanoseconds took = Clock::now().time_since_epoch() - nanoseconds(header.creation_time());
      auto& longest = longest_.at(static_cast<std::size_t>(header.source()));
      longest.store(std::max(longest.load(), took.count()));
      received.fetch_add(1);
    }
  }
  nanoseconds longest_from(std::size_t supplier) const { return nanoseconds(longest_.at(supplier).load()); }
  std::atomic<std::uint64_t> received{0};

 private:
  const nanoseconds execution_;
  std::vector<std::atomic<std::int64_t>> longest_;
};

void release(EventChannel& channel, const Supplier& supplier, Clock::time_point at) {
  if (supplier.execution > nanoseconds(0)) work_for(supplier.execution);
  RtecEventComm::Event event;
  event.header().ttl(1);
  event.header().creation_time(static_cast<std::uint64_t>(at.time_since_epoch().count()));
  for (const Publication& each : supplier.publications) {
    event.header().type(each.type);
    event.header().source(each.source);
    for (std::int64_t i = 0; i < each.times; ++i) channel.push(event);
  }
}

struct Run {
  std::vector<std::shared_ptr<Worker>> workers;
  std::uint64_t discarded = 0;
};

// Gives each supplier and consumer the level at the same place.
Run run(const OrbRef& orb, const Graph& graph, const std::vector<int>& suppliers,
        const std::vector<int>& consumers, nanoseconds length) {
  takt::EventChannelOptions options;
  const int levels = 1 + std::max(std::ranges::max(suppliers), std::ranges::max(consumers));
  for (int level = 0; level < levels; ++level)
    options.levels.push_back({std::to_string(level), priority_of(level)});
  options.slow_after = 10s;  // one thread for each level, as in the analysis
  auto channel = EventChannel::start(orb, options);
  if (!channel) throw std::runtime_error(channel.error());
  Run result;
  std::vector<std::unique_ptr<takt::EventConnection>> connections;
  for (std::size_t i = 0; i < graph.consumers.size(); ++i) {
    result.workers.push_back(std::make_shared<Worker>(graph.consumers[i].execution, graph.suppliers.size()));
    auto connection =
        (*channel)->connect(result.workers.back(), {.filter = graph.consumers[i].filter,
                                                    .level = static_cast<std::size_t>(consumers[i]),
                                                    .queued_events = 1024});
    if (!connection) throw std::runtime_error(connection.error());
    connections.push_back(*std::move(connection));
  }
  const auto first = Clock::now() + 20ms;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < graph.suppliers.size(); ++i)
      threads.emplace_back([&, i] {
        IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))
            ->the_priority(priority_of(suppliers[i]));
        for (auto at = first; at < first + length; at += graph.suppliers[i].period) {
          wake_at(at);
          release(**channel, graph.suppliers[i], at);
        }
      });
  }
  for (const auto& connection : connections) result.discarded += connection->counts().discarded;
  (*channel)->stop();
  return result;
}

// The time from a release to the end of the least urgent of several consumers that do nothing, for an event:
// what one push and one delivery take, with their changes of threads.
nanoseconds overhead_of_an_event(const OrbRef& orb) {
  Graph graph;
  graph.suppliers.push_back({2ms, {}, {{first_type, 1, 1}}});
  graph.consumers.push_back({{}, filters::event(first_type)});
  nanoseconds longest{};
  std::vector<nanoseconds> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(run(orb, graph, {0}, {1}, 40ms).workers.front()->longest_from(1));
  std::ranges::sort(all);
  return all[all.size() / 2];  // the median of the longest of 20: without what the machine held up
}

nanoseconds hold_up_of_machine(int core, nanoseconds length) {
  Hiccups hiccups(core);
  std::this_thread::sleep_for(length);
  return hiccups.end();
}

void run_graph(const OrbRef& orb, const Graph& graph, const Analysis& analysis, const Settings& settings,
               int core) {
  std::vector<int> suppliers(graph.suppliers.size()), consumers(graph.consumers.size());
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const auto place = static_cast<std::size_t>(analysis.threads[i].entry) - 1;
    const int level = analysis.results[i].priority.level;
    (place < suppliers.size() ? suppliers[place] : consumers[place - suppliers.size()]) = level;
  }
  Hiccups hiccups(core);
  const Run seen = run(orb, graph, suppliers, consumers, settings.length);
  const nanoseconds hiccup = hiccups.end();
  std::size_t bounds = 0, exceeded = 0, beyond = 0;
  double nearest = 0;
  std::uint64_t events = 0;
  for (const auto& each : seen.workers) events += each->received;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const auto& thread = analysis.threads[i];
    if (!thread.trigger) continue;
    const auto& worker = seen.workers[static_cast<std::size_t>(thread.entry) - 1 - suppliers.size()];
    const nanoseconds bound = *analysis.results[i].response;
    const nanoseconds longest =
        worker->longest_from(static_cast<std::size_t>(analysis.threads[thread.trigger->thread].entry));
    ++bounds;
    exceeded += longest > bound;
    beyond += longest > bound + hiccup;
    nearest = std::max(nearest, static_cast<double>(longest.count()) / static_cast<double>(bound.count()));
  }
  std::printf(
      "{\"suppliers\": %zu, \"consumers\": %zu, \"bounds\": %zu, \"events\": %llu, \"discarded\": %llu, "
      "\"exceeded\": %zu, \"beyond_hiccup\": %zu, \"nearest\": %.3f, \"hiccup_us\": %.1f, \"overhead_us\": "
      "%.1f, "
      "\"hold_up_us\": %.1f}\n",
      graph.suppliers.size(), graph.consumers.size(), bounds, static_cast<unsigned long long>(events),
      static_cast<unsigned long long>(seen.discarded), exceeded, beyond, nearest,
      static_cast<double>(hiccup.count()) / 1e3,
      static_cast<double>((settings.push + settings.deliver).count()) / 1e3,
      static_cast<double>(settings.hold_up.count()) / 1e3);
  std::fflush(stdout);
}

nanoseconds seconds_of(double seconds) {
  return std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
}

// The last core that the process may use. All its threads stay there.
int keep_to_last_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  ::sched_getaffinity(0, sizeof cores, &cores);
  int last = CPU_SETSIZE - 1;
  while (last > 0 && !CPU_ISSET(last, &cores)) --last;
  CPU_ZERO(&cores);
  CPU_SET(last, &cores);
  if (::sched_setaffinity(0, sizeof cores, &cores) != 0)
    throw std::runtime_error("the core cannot be chosen");
  return last;
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_events_bounds", [&] {
    const Options options(argc, argv);
    const int core = keep_to_last_core();
    std::string words[] = {"bench_events_bounds", "-ORBPriorityMapping", "direct"};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int count = 3;
    const auto orb = CORBA::ORB_init(count, arguments);
    Settings settings{.margin = options.number("margin", 10) / 100,
                      .length = seconds_of(options.number("seconds", 0.2)),
                      .calibration = seconds_of(options.number("calibration", 10))};
    settings.deliver = overhead_of_an_event(orb);
    settings.push = settings.deliver;  // each is a part of it
    settings.hold_up = hold_up_of_machine(core, settings.calibration);
    RandomSets random(static_cast<std::uint64_t>(options.number("seed", 1)));
    int drawn = 0;
    for (int left = static_cast<int>(options.number("graphs", 100)); left > 0 && drawn < 1'000'000; ++drawn) {
      const Graph graph = random_graph(random, settings.hold_up);
      const auto analysis = feasible(graph, settings);
      if (!analysis) continue;
      run_graph(orb, graph, *analysis, settings, core);
      --left;
    }
    orb->destroy();
  });
}
