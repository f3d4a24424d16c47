// The model over invented time, with processes that die at every step, hang, come up late or twice, and pings
// that are answered late: what server.h promises holds in every run. A failure names the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "imr/model/server.h"

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

struct Asked {
  Time since;
  int answers = 0;
};

class SimulatedCaller final : public Caller {
 public:
  SimulatedCaller(std::shared_ptr<Asked> asked, const Time& now, std::chrono::milliseconds patience)
      : asked_(std::move(asked)), now_(now), patience_(patience) {}
  bool forward(const Place& place) override {
    EXPECT_FALSE(place.reference.empty());
    answer();
    return true;
  }
  void refuse(const std::string& why) override {
    EXPECT_FALSE(why.empty());
    answer();
  }

 private:
  void answer() {
    ++asked_->answers;
    EXPECT_LE(now_ - asked_->since, patience_);
  }
  const std::shared_ptr<Asked> asked_;
  const Time& now_;
  const std::chrono::milliseconds patience_;
};

Definition simulated(Mode mode) {
  Definition definition;
  definition.name = "one";
  definition.command = {"/bin/one"};
  definition.mode = mode;
  definition.start_limit = 6;
  definition.longest_start = 500ms;
  definition.longest_stop = 200ms;
  definition.first_pause = 20ms;
  definition.longest_pause = 100ms;
  definition.most_processes = 3;
  return definition;
}

class Simulation {
 public:
  // `changes`: the mode changes now and then.
  Simulation(std::uint32_t seed, Mode mode, bool changes)
      : random_(seed), most_acts_(changes ? 13 : 12), server_(simulated(mode), Limits(), 1) {
    happens([&](Actions& actions) { server_.begin(now_, actions); });
  }

  void step() {
    // Never later than the model wants to be woken, and once in a while earlier.
    const Time next = server_.next();
    EXPECT_GT(next, now_);
    now_ += std::chrono::milliseconds(random_() % 40);
    if (next < now_) now_ = next;
    happens([&](Actions& actions) { server_.tick(now_, actions); });
    act(random_() % most_acts_);
    check();
  }

  // Everything that waits gets its answer, though nothing happens any more.
  void finish() {
    for (int i = 0; i < 10'000 && server_.next() != Time::max() && !all_answered(); ++i) {
      now_ = server_.next();
      happens([&](Actions& actions) { server_.tick(now_, actions); });
    }
    for (const auto& asked : asked_) EXPECT_EQ(asked->answers, 1);
  }

 private:
  template <class Event>
  void happens(const Event& event) {
    Actions actions;
    event(actions);
    for (const auto& [callers, place, start] : actions.forwards)
      for (const auto& caller : callers) caller->forward(*place);
    for (const auto& [callers, why] : actions.refusals)
      for (const auto& caller : callers) caller->refuse(why);
    for (const std::uint64_t start : actions.spawn) {
      EXPECT_GE(now_, pause_until_);
      unborn_.push_back(start);
    }
    for (const Actions::Ping& ping : actions.pings) pings_.push_back(ping.start);
  }

  void act(std::uint32_t what) {
    if (what < 4) return request();
    if (what == 4 && random_() % 8 == 0)
      return happens([&](Actions& actions) { server_.stop(now_, actions); });
    if (what == 5 && random_() % 4 == 0)
      return happens([&](Actions& actions) {
        static_cast<void>(server_.start(now_, actions));
        pause_until_ = {};
      });
    if (what == 6 && !unborn_.empty()) return give_birth();
    if (what == 7 && !pings_.empty()) return answer_ping();
    if (what == 8) return come_up(0);
    if (what == 12) return change();
    if (server_.processes().empty()) return;
    const Process process = server_.processes()[random_() % server_.processes().size()];
    if (what == 9 && process.pid != 0) return die(process);
    if (what == 10 && process.pid != 0) return come_up(process.start);
    if (what == 11)
      happens([&](Actions& actions) { server_.is_ending(process.start, process.pid, now_, actions); });
  }

  void change() {
    server_.change(simulated(static_cast<Mode>(random_() % 4)));
    happens([&](Actions& actions) { server_.begin(now_, actions); });
  }
  void request() {
    asked_.push_back(std::make_shared<Asked>(Asked{now_}));
    happens([&](Actions& actions) {
      server_.request(
          std::make_unique<SimulatedCaller>(asked_.back(), now_, simulated(Mode::normal).longest_start), now_,
          actions);
    });
  }
  void give_birth() {
    const std::uint64_t start = unborn_.back();
    unborn_.pop_back();
    happens([&](Actions& actions) { server_.spawned(start, next_pid_++, actions); });
  }
  void answer_ping() {
    const std::uint64_t start = pings_.front();
    pings_.erase(pings_.begin());
    happens([&](Actions& actions) {
      server_.pinged(start, static_cast<Server::Pinged>(random_() % 4), now_, actions);
    });
  }
  void come_up(std::uint64_t start) {
    const std::int32_t pid =
        start != 0 && random_() % 4 != 0 ? static_cast<std::int32_t>(start) : next_pid_++;
    happens([&](Actions& actions) {
      const Place place{.reference = "r", .pid = pid, .local = start != 0 || random_() % 2 == 0};
      static_cast<void>(server_.is_running(start, place, now_, actions));
    });
  }
  void die(const Process& process) {
    const std::uint64_t before = server_.counts().failures;
    happens([&](Actions& actions) {
      server_.died(process.start, random_() % 3 == 0, "died", now_, actions);
      if (server_.counts().failures > before) pause_until_ = now_ + 20ms;
    });
  }

  bool all_answered() const {
    return std::ranges::all_of(asked_, [](const auto& asked) { return asked->answers == 1; });
  }

  void check() {
    const bool per_client = server_.definition().mode == Mode::per_client;
    const auto is_present = [&](const Process& process) { return process.one_client == per_client; };
    const auto serves = [&](const Process& process) {
      return is_present(process) && (process.phase == Phase::starting || process.phase == Phase::running);
    };
    const auto count = std::ranges::count_if(server_.processes(), serves);
    EXPECT_LE(count, per_client ? 3 : 1);
    for (const auto& asked : asked_) EXPECT_LE(asked->answers, 1);
    if (server_.in_a_row() >= server_.definition().start_limit && server_.processes().empty()) {
      EXPECT_EQ(server_.phase(now_), Phase::failed);
    }
  }

  std::mt19937 random_;
  const std::uint32_t most_acts_;
  Time now_ = Time() + 1h;
  Time pause_until_{};
  Server server_;
  std::vector<std::shared_ptr<Asked>> asked_;
  std::vector<std::uint64_t> unborn_, pings_;
  std::int32_t next_pid_ = 1'000'000;
};

TEST(SimulatedServer, KeepsItsPromises) {
  constexpr std::uint32_t seeds = 80;
  constexpr int steps = 400;
  for (const Mode mode : {Mode::normal, Mode::manual, Mode::per_client, Mode::automatic})
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE("mode " + std::to_string(static_cast<int>(mode)) + ", seed " + std::to_string(seed));
      Simulation simulation(seed, mode, seed % 2 == 1);
      for (int i = 0; i < steps; ++i) simulation.step();
      simulation.finish();
      if (testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace takt::imr
