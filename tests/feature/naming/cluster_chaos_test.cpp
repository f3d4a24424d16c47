// Members of etcd and services are killed, stopped and restarted at random while clients change names and
// read them. TAKT_CLUSTER_CHAOS: for how many seconds; without it the test is skipped.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "cluster_service.h"
#include "etcd_members.h"

namespace feature {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t services = 3, writers = 3, names = 5;

struct Chaos {
  EtcdMembers members;
  std::array<std::unique_ptr<Service>, services> all;
  std::atomic<bool> ends{false};
  std::atomic<std::uint64_t> changes{0}, reads{0}, errors{0}, open{0}, faults{0};
};

// Changes names of its own, so it knows what each is bound to.
class Writer {
 public:
  Writer(Chaos& chaos, std::size_t number, unsigned seed) : chaos_(chaos), number_(number), random_(seed) {}

  void run() {
    while (!chaos_.ends) {
      State& state = states_[random_() % names];
      if (random_() % 2)
        change(state);
      else
        read(state, *chaos_.all[random_() % services], "");
    }
  }
  // At the end, when everything works.
  void check(Service& service) {
    for (State& state : states_) read(state, service, "at the end: ");
  }

 private:
  struct State {
    std::string now{}, maybe{};  // keys; empty: not bound
    bool is_open = false;        // it may be `maybe`
  };

  std::string name_of(const State& state) const {
    return "w" + std::to_string(number_) + "_" + std::to_string(&state - states_.data());
  }
  void change(State& state) {
    Service& service = *chaos_.all[random_() % services];
    const std::string key = random_() % 3 ? name_of(state) + "_" + std::to_string(++count_) : "";
    try {
      if (key.empty())
        service.root()->unbind(name(name_of(state)));
      else if (state.now.empty() && !state.is_open && random_() % 2)
        service.root()->bind(name(name_of(state)), service.object(key));
      else
        service.root()->rebind(name(name_of(state)), service.object(key));
      ++chaos_.changes;
      EXPECT_TRUE(!key.empty() || !state.now.empty() || state.is_open) << name_of(state) << " was not bound";
      state = {.now = key};
    } catch (const NamingContext::NotFound&) {
      EXPECT_TRUE(key.empty() && (state.now.empty() || (state.is_open && state.maybe.empty())))
          << name_of(state) << " is not found, was " << state.now;
      state = {};
    } catch (const NamingContext::AlreadyBound&) {
      ADD_FAILURE() << name_of(state) << " was not bound";
    } catch (const CORBA::SystemException& failure) {
      ++chaos_.errors;
      if (failure.completed() == CORBA::COMPLETED_NO) return;
      ++chaos_.open;
      // Two open changes leave more states than are kept, so the next change is one that settles it.
      settle(state, key);
    }
  }
  // Changes the name until it is known what it is bound to.
  void settle(State& state, const std::string& key) {
    state.is_open = true;
    state.maybe = key;
    while (!chaos_.ends) {
      Service& service = *chaos_.all[random_() % services];
      const std::string next = name_of(state) + "_s" + std::to_string(++count_);
      try {
        service.root()->rebind(name(name_of(state)), service.object(next));
        state = {.now = next};
        return;
      } catch (const CORBA::SystemException&) {
        std::this_thread::sleep_for(milliseconds(20));
        state.maybe = "*";
      }
    }
  }
  void read(State& state, Service& service, const std::string& when) {
    if (state.maybe == "*") return;
    std::string found;
    try {
      const auto object = service.root()->resolve(name(name_of(state)));
      for (const std::string& key : {state.now, state.maybe})
        if (!key.empty() && object->_is_equivalent(service.object(key))) found = key;
      if (found.empty()) found = "another";
    } catch (const NamingContext::NotFound&) {
    } catch (const CORBA::SystemException&) {
      ++chaos_.errors;
      return;
    }
    ++chaos_.reads;
    EXPECT_TRUE(found == state.now || (state.is_open && found == state.maybe))
        << when << name_of(state) << " is '" << found << "', not '" << state.now << "'";
  }

  Chaos& chaos_;
  const std::size_t number_;
  std::minstd_rand random_;
  std::array<State, names> states_;
  std::uint64_t count_ = 0;
};

void disturb(Chaos& chaos, std::minstd_rand& random) {
  const auto some_time = [&] { std::this_thread::sleep_for(milliseconds(100 + random() % 2500)); };
  const std::size_t one = random() % 3;
  ++chaos.faults;
  switch (random() % 5) {
    case 0:
      chaos.members[one].kill();
      some_time();
      return chaos.members.start(one);
    case 1:
      chaos.members[one].stop();
      some_time();
      return chaos.members[one].signal(SIGCONT);
    case 2:
      chaos.all[one]->process().kill();
      some_time();
      return chaos.all[one]->start();
    case 3:
      chaos.all[one]->process().stop();
      some_time();
      return chaos.all[one]->process().signal(SIGCONT);
    default:
      chaos.members.compact(one);
  }
}

TEST(NamingClusterChaos, WhatWasAnsweredHolds) {
  const char* const seconds = std::getenv("TAKT_CLUSTER_CHAOS");
  if (!seconds) GTEST_SKIP() << "TAKT_CLUSTER_CHAOS has no seconds";
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  Chaos chaos;
  chaos.members.leader();
  for (auto& each : chaos.all)
    each =
        std::make_unique<Service>(chaos.members.store(), std::vector<std::string>{"--max-staleness", "0s"});
  std::vector<Writer> all;
  for (std::size_t i = 0; i < writers; ++i) all.emplace_back(chaos, i, random());
  {
    std::vector<std::jthread> threads;
    for (Writer& each : all) threads.emplace_back([&] { each.run(); });
    const auto until = Clock::now() + std::chrono::seconds(std::atoi(seconds));
    while (Clock::now() < until && !::testing::Test::HasFailure()) {
      disturb(chaos, random);
      std::this_thread::sleep_for(milliseconds(random() % 1000));
    }
    chaos.ends = true;
  }
  for (auto& service : chaos.all) {
    EXPECT_TRUE(service->works_again([](auto& root) {
      try {
        root.resolve(name("nothing"));
      } catch (const NamingContext::NotFound&) {
      }
    }));
    for (Writer& each : all) each.check(*service);
  }
  std::cout << chaos.faults << " faults, " << chaos.changes << " changes, " << chaos.reads << " reads, "
            << chaos.errors << " errors, " << chaos.open << " of them left open\n";
  EXPECT_GT(chaos.changes, 100u);
}

}  // namespace
}  // namespace feature
