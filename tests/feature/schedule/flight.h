// A server with a schedule and its client in one process.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <takt/corba.h>
#include <takt/reference/messaging.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include "../orb_pair.h"
#include "../real_time/own_priority.h"
#include "flightS.h"

namespace flight {

using namespace std::chrono_literals;
using feature::make_orb;
using feature::Options;
using feature::Orb;
using feature::Poa;
using takt::rt::OnOverrun;
using takt::rt::RunTimeScheduler;
using takt::rt::ScheduledOperation;
using takt::rt::ScheduleOptions;
using takt::rt::ScheduleReport;
using UnitRef = IDL::traits<Flight::Unit>::ref_type;
using WingRef = IDL::traits<Flight::Wing>::ref_type;

inline std::chrono::nanoseconds processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

inline Flight::Seen what_i_run_at(const CORBA::object_reference<RTCORBA::Current>& current) {
  const auto own = real_time::own_priority(current);
  return {own.corba, own.native, own.thread};
}

// For either interface.
template <class Interface>
class Servant : public virtual CORBA::servant_traits<Interface>::base_type {
 public:
  explicit Servant(const Orb& orb)
      : current_(IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))) {}

  Flight::Seen look() override { return what_i_run_at(current_); }
  Flight::Seen spin(std::uint32_t microseconds) override {
    const auto end = processor_time() + std::chrono::microseconds(microseconds);
    while (processor_time() < end) {
    }
    return what_i_run_at(current_);
  }
  Flight::Seen resist(std::uint32_t microseconds) override {
    const auto end = processor_time() + std::chrono::microseconds(microseconds);
    while (processor_time() < end)
      if (const auto seen = what_i_run_at(current_); seen.native_priority() == 1) return seen;
    return what_i_run_at(current_);
  }
  void churn() override {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!let_go_ && std::chrono::steady_clock::now() < end) {
    }
  }
  void hold() override {
    std::unique_lock lock(mutex_);
    ++held_;
    changed_.notify_all();
    changed_.wait_for(lock, 20s, [&] { return open_; });
  }
  void sleep(std::uint32_t milliseconds) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  void one() override { note(1); }
  void two() override { note(2); }
  void three() override { note(3); }
  void four() override { note(4); }
  void last() override {}

  bool is_held(int times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return held_ >= times; });
  }
  void let_go() {
    std::lock_guard lock(mutex_);
    open_ = true;
    let_go_ = true;
    changed_.notify_all();
  }
  // Waits until there are `count`.
  std::vector<int> noted(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 10s, [&] { return noted_.size() >= count; });
    return noted_;
  }

 protected:
  const CORBA::object_reference<RTCORBA::Current> current_;

 private:
  void note(int number) {
    std::lock_guard lock(mutex_);
    noted_.push_back(number);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int held_ = 0;
  bool open_ = false;
  std::atomic<bool> let_go_{false};
  std::vector<int> noted_;
};

using UnitServant = Servant<Flight::Unit>;
class WingServant final : public Servant<Flight::Wing> {
 public:
  using Servant::Servant;
  Flight::Seen trim() override { return look(); }
};

// Collects the reports of a schedule.
class Reports {
 public:
  ScheduleOptions options() {
    return {.report = [this](const ScheduleReport& report) {
      std::lock_guard lock(mutex_);
      all_.push_back(report);
      changed_.notify_all();
    }};
  }
  std::vector<ScheduleReport> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 10s, [&] { return all_.size() >= count; });
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ScheduleReport> all_;
};

// A client is a connection for the rates that clients declare, so none moves to a local road.
class ScheduledOrbs : public feature::OrbPair {
 public:
  explicit ScheduledOrbs(std::vector<ScheduledOperation> operations, const Options& server_options = {},
                         ScheduleOptions options = {}, const std::string& client_connections = "exclusive")
      : OrbPair(with_mapping(server_options),
                {"-ORBPriorityMapping", "direct", "-ORBClientConnections", client_connections,
                 "-ORBLocalRoads", "off"},
                loopback, Server::serves_by_its_own_threads,
                [&](const Orb& orb) {
                  if (!operations.empty())
                    scheduler_of(orb)->install(std::move(operations), std::move(options));
                }),
        scheduler(scheduler_of(server)) {}

  // A server whose oneways return when it has read them. Earlier requests are in its queue by then.
  template <class Implementation>
  UnitRef noticing(const CORBA::servant_reference<Implementation>& servant, const Poa& poa) {
    CORBA::Any scope;
    scope <<= Messaging::SYNC_WITH_SERVER;
    return IDL::traits<Flight::Unit>::narrow(
        publish<Flight::Unit>(servant, poa)
            ->_set_policy_overrides({client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope)},
                                    CORBA::SetOverrideType::ADD_OVERRIDE));
  }
  UnitRef unit() { return publish<Flight::Unit>(CORBA::make_reference<UnitServant>(server)); }
  WingRef wing() { return publish<Flight::Wing>(CORBA::make_reference<WingServant>(server)); }
  takt::rt::OperationStatistics of(const char* name) const { return scheduler->statistics(name); }

  const CORBA::object_reference<RunTimeScheduler> scheduler;

 private:
  static CORBA::object_reference<RunTimeScheduler> scheduler_of(const Orb& orb) {
    return IDL::traits<RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
  }
  static Options with_mapping(const Options& options) {
    if (std::ranges::find(options, "-ORBPriorityMapping") != options.end()) return options;
    return feature::with(options, {"-ORBPriorityMapping", "direct"});
  }
};

}  // namespace flight
