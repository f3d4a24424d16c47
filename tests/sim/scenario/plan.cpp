#include "scenario/plan.h"

#include <algorithm>

#include "machine/random.h"

namespace takt::sim {

using namespace std::chrono_literals;

namespace {

void choose_strategies(Plan& plan, Random& random) {
  plan.server_strategy = random.one_of<const char*>(
      {"thread-per-connection", "reactive", "leader-followers", "worker-pool", "threading-framework"});
  plan.server_threads = static_cast<unsigned>(random.between(std::uint64_t{1}, std::uint64_t{4}));
  plan.with_threadpool = random.one_in(4);
  plan.buffered = random.one_in(2);
  plan.dynamic_threads = static_cast<unsigned>(random.below(4));
  plan.run_threads = random.one_in(4) ? 2 : 1;
  plan.client_strategy =
      random.one_of<const char*>({"exclusive", "cached", "multiplexed", "multiplexed-active"});
  plan.fragment_bytes = random.one_of<std::size_t>({0, 0, 256, 1024});
  // A single thread cannot serve while it waits for a callback's reply.
  plan.bidirectional = random.one_in(6) && plan.server_strategy != "reactive";
}

void choose_work(Plan& plan, Random& random) {
  plan.clients = static_cast<unsigned>(random.between(std::uint64_t{1}, std::uint64_t{6}));
  plan.calls = static_cast<unsigned>(random.between(std::uint64_t{1}, std::uint64_t{8}));
  plan.most_octets = random.one_of<std::size_t>({4, 200, 3000, 3000, 80'000});
  plan.longest_upcall = random.one_of<Time>({0ns, 0ns, 300us, 20ms});
  plan.longest_pause = random.one_of<Time>({0ns, 100us, 20ms});
  plan.with_oneways = random.one_in(2);
}

void choose_weather(Faults& faults, Random& random) {
  faults.fairness = random.one_of({Faults::Fairness::uniform, Faults::Fairness::sticky,
                                   Faults::Fairness::sticky, Faults::Fairness::ranked});
  faults.signal_one_in = random.one_of({0, 0, 30});
  faults.spurious_wake_up_one_in = random.one_of({0, 0, 10});
  faults.stall_one_in = random.one_of({0, 0, 100, 500});
  faults.longest_stall = random.one_of<Time>({100us, 5ms});
  faults.partial_transfers = random.one_in(2);
  faults.buffer_bytes = random.one_of<std::size_t>({64, 1000, 20'000, 200'000});
  faults.longest_latency = random.one_of<Time>({2us, 50us, 3ms});
}

// Each kind of fault happens in some of the runs, so that most runs have only a few kinds.
void choose_trouble(Plan& plan, Random& random) {
  Faults& faults = plan.faults;
  if (random.one_in(4)) faults.no_thread_one_in = random.one_of({3, 12});
  if (random.one_in(4)) faults.descriptors_per_host = random.between(std::uint64_t{4}, std::uint64_t{14});
  if (random.one_in(4)) faults.refused_one_in = random.one_of({2, 5});
  if (random.one_in(4)) faults.unanswered_one_in = random.one_of({2, 5});
  if (random.one_in(2)) faults.cut_one_in = random.one_of({1, 3, 8});
  faults.cut_within_bytes = random.one_of({150, 1500, 20'000});
  if (random.one_in(3)) plan.server_ends_at = random.between(Time(1ms), Time(60ms));
  if (random.one_in(8)) plan.client_ends_at = random.between(Time(1ms), Time(60ms));
  if (random.one_in(6)) plan.all_cut_at = random.between(Time(1ms), Time(60ms));
}

void choose_bounds(Plan& plan, Random& random) {
  plan.round_trip_timeout = random.one_of<Time>({20ms, 900ms, 2s, 30s});
  plan.connect_timeout = random.one_of<Time>({10ms, 1s, 5s});
  plan.message_timeout = random.one_of<Time>({30ms, 3s, 30s});
  plan.send_timeout = random.one_of<Time>({30ms, 3s, 30s});
  plan.idle_timeout = random.one_of<Time>({30ms, 2s, 30min});
  plan.shutdown_timeout = random.one_of<Time>({0ms, 50ms, 10s});
  plan.max_connections = random.one_of<unsigned>({1, 3, 1000});
  plan.max_queued = random.one_of<unsigned>({0, 2, 100});
  plan.with_deadlines = random.one_in(2);
}

// Faults that the transport repairs do not count as trouble, but the network makes fewer of them. A server in
// orderly shutdown cannot notify clients that it no longer reaches.
void choose_transport(Plan& plan, Random& random, std::string_view transport) {
  const char* const chosen = random.one_of({"iiop", "iiop", "udp"});
  plan.transport = transport.empty() ? chosen : transport;
  if (!plan.over_datagrams()) return;
  plan.bidirectional = false;  // UDP connections are not bidirectional
  Faults& faults = plan.faults;
  if (plan.mood == Plan::Mood::drained && random.one_in(2)) {
    faults.buffer_bytes = 1'000'000;
    return;
  }
  const bool trouble = plan.mood == Plan::Mood::trouble;
  // A sender without room checks every millisecond, which takes many steps if nothing arrives any more.
  if (trouble) plan.round_trip_timeout = std::min<Time>(plan.round_trip_timeout, 2s);
  faults.datagram_lost_one_in = random.one_of<std::uint64_t>({0, 100, 30, trouble ? 4u : 12u});
  faults.datagram_doubled_one_in = random.one_of<std::uint64_t>({0, 30, 4});
  faults.datagram_overtaken_one_in = random.one_of<std::uint64_t>({0, 30, 4});
  faults.cut_within_datagrams = random.one_of({3, 20, 200});
}

// Draws from another source, so that the rest of a seed's plan is the same as without interceptors.
void choose_interceptors(Plan& plan, std::uint64_t seed) {
  Random random(~seed, Random::Stream::plan);
  if (!random.one_in(3)) return;
  plan.interceptors = static_cast<unsigned>(random.between(std::uint64_t{1}, std::uint64_t{3}));
  plan.interceptors_throw = plan.mood == Plan::Mood::trouble && random.one_in(2);
}

std::string text_of(Time time) { return std::to_string(time.count()) + "ns"; }

}  // namespace

Plan Plan::of(std::uint64_t seed, std::string_view transport) {
  Random random(seed, Random::Stream::plan);
  Plan plan;
  plan.mood =
      random.one_of({Plan::Mood::calm, Plan::Mood::drained, Plan::Mood::trouble, Plan::Mood::trouble});
  choose_strategies(plan, random);
  choose_work(plan, random);
  choose_weather(plan.faults, random);
  if (plan.most_octets > 3000)
    plan.faults.buffer_bytes = std::max<std::size_t>(plan.faults.buffer_bytes, 3000);
  if (plan.mood == Plan::Mood::drained) plan.server_ends_at = random.between(Time(100us), Time(20ms));
  if (plan.mood == Plan::Mood::trouble) {
    choose_bounds(plan, random);
    choose_trouble(plan, random);
  }
  choose_transport(plan, random, transport);
  choose_interceptors(plan, seed);
  return plan;
}

std::vector<std::string> Plan::server_options() const {
  return {"-ORBServerConcurrency",
          std::string(server_strategy),
          "-ORBServerThreads",
          std::to_string(server_threads),
          "-ORBListenEndpoints",
          std::string(transport) + "://127.0.0.1:0",
          "-ORBFragmentSize",
          std::to_string(fragment_bytes),
          "-ORBMessageTimeout",
          text_of(message_timeout),
          "-ORBSendTimeout",
          text_of(send_timeout),
          "-ORBIdleTimeout",
          text_of(idle_timeout),
          "-ORBShutdownTimeout",
          text_of(shutdown_timeout),
          "-ORBMaxConnections",
          std::to_string(max_connections),
          "-ORBMaxQueuedRequests",
          std::to_string(max_queued),
          "-ORBAcceptBidirectional",
          bidirectional ? "any" : "off",
          "-ORBRoundTripTimeout",
          text_of(calm() ? Time(30s) : Time(50ms)),
          "-ORBConnectTimeout",
          "50ms",
          "-ORBLogLevel",
          "off"};
}

std::vector<std::string> Plan::client_options() const {
  return {"-ORBClientConnections",        std::string(client_strategy), "-ORBFragmentSize",
          std::to_string(fragment_bytes), "-ORBRoundTripTimeout",       text_of(round_trip_timeout),
          "-ORBConnectTimeout",           text_of(connect_timeout),     "-ORBListenEndpoints",
          "iiop://127.0.0.1:0",           "-ORBBidirectionalPolicy",    bidirectional ? "both" : "normal"};
}

std::string Plan::describe() const {
  static constexpr const char* moods[] = {"calm: ", "drained: ", "in trouble: "};
  std::string text(moods[static_cast<int>(mood)]);
  for (const auto& option : server_options()) text += option + " ";
  if (with_threadpool)
    text += std::string(buffered ? "buffered" : "unbuffered") + " threadpool with " +
            std::to_string(dynamic_threads) + " dynamic threads ";
  text += "| ";
  for (const auto& option : client_options()) text += option + " ";
  text += "| " + std::to_string(clients) + " clients, " + std::to_string(calls) + " calls each of up to " +
          std::to_string(most_octets) + " octets, upcalls of up to " + text_of(longest_upcall);
  if (interceptors != 0) text += ", " + std::to_string(interceptors) + " interceptors";
  if (interceptors_throw) text += " that throw";
  const auto at = [&text](const char* what, Time when) {
    if (when != never) text += std::string(", ") + what + " at " + text_of(when);
  };
  at("server ends", server_ends_at);
  at("client ends", client_ends_at);
  at("all cut", all_cut_at);
  return text;
}

}  // namespace takt::sim
