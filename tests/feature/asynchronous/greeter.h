// A servant and reply handlers for asynchronous calls.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/orb/asynchronous.h>

#include "asyncS.h"
#include "orb_pair.h"

namespace feature {

using namespace std::chrono_literals;

class GreeterServant : public virtual CORBA::servant_traits<Async::Greeter>::base_type {
 public:
  std::string name() override { return name_; }
  void name(const std::string& value) override { name_ = value; }
  std::int32_t count() override { return calls; }
  std::int32_t twice(std::int32_t n) override {
    ++calls;
    return 2 * n;
  }
  std::string greet(const std::string& who, std::int32_t& n, Async::Longs& numbers) override {
    ++calls;
    numbers = {n, n + 1};
    n = -n;
    return "hello " + who;
  }
  void refuse(const std::string& why) override { throw Async::Refused(why, L"w\u00eft", 42); }
  void fail() override {
    ++failures;
    throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES);
  }
  void sleep_ms(std::uint32_t ms) override { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
  Async::Octets echo(const Async::Octets& octets) override { return octets; }
  IDL::traits<Async::Greeter>::ref_type self(IDL::traits<Async::Greeter>::ref_type other) override {
    return other;
  }
  void fire() override {}
  void wait_at_gate() override {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait_for(lock, 20s, [&] { return open_; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool has_waiting(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return waiting_ >= count; });
  }

  std::atomic<int> calls{0}, failures{0};

 private:
  std::string name_ = "first";
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = false;
};

// Records the outcomes that a handler got: "op", or "op:" and the name of the exception, with results.
class Outcomes {
 public:
  void add(std::string outcome) {
    std::lock_guard lock(mutex_);
    all_.push_back(std::move(outcome));
    threads_.push_back(std::this_thread::get_id());
    changed_.notify_all();
  }
  // Waits for that many.
  std::vector<std::string> await(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return all_.size() >= count; });
    return all_;
  }
  std::string one() {
    const auto all = await(1);
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " outcomes";
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return all_.size();
  }
  std::vector<std::thread::id> threads() {
    std::lock_guard lock(mutex_);
    return threads_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> all_;
  std::vector<std::thread::id> threads_;
};

using Holder = IDL::traits<Messaging::ExceptionHolder>::ref_type;

inline std::string raised_by(const Holder& holder) {
  try {
    holder->raise_exception();
  } catch (const Async::Refused& refused) {
    return "Refused " + refused.why() + (refused.wide() == L"w\u00eft" ? " wide " : " ") +
           std::to_string(refused.code());
  } catch (const CORBA::SystemException& failure) {
    return std::string(failure._name()) + " " + std::to_string(failure.minor() & 0xfffu) + " " +
           (failure.completed() == CORBA::COMPLETED_YES  ? "YES"
            : failure.completed() == CORBA::COMPLETED_NO ? "NO"
                                                         : "MAYBE");
  }
  return "nothing";
}

// The operations of a handler, over either the local base class or the skeleton.
template <class Base>
class RecordingHandler : public virtual Base {
 public:
  explicit RecordingHandler(Outcomes& outcomes) : outcomes_(outcomes) {}

  void get_name(const std::string& value) override { outcomes_.add("get_name " + value); }
  void get_name_excep(Holder holder) override { outcomes_.add("get_name: " + raised_by(holder)); }
  void set_name() override { outcomes_.add("set_name"); }
  void set_name_excep(Holder holder) override { outcomes_.add("set_name: " + raised_by(holder)); }
  void get_count(std::int32_t value) override { outcomes_.add("get_count " + std::to_string(value)); }
  void get_count_excep(Holder holder) override { outcomes_.add("get_count: " + raised_by(holder)); }
  void twice(std::int32_t value) override { outcomes_.add("twice " + std::to_string(value)); }
  void twice_excep(Holder holder) override { outcomes_.add("twice: " + raised_by(holder)); }
  void greet(const std::string& value, std::int32_t n, const Async::Longs& numbers) override {
    outcomes_.add("greet " + value + " " + std::to_string(n) + " " + std::to_string(numbers.size()));
  }
  void greet_excep(Holder holder) override { outcomes_.add("greet: " + raised_by(holder)); }
  void refuse() override { outcomes_.add("refuse"); }
  void refuse_excep(Holder holder) override { outcomes_.add("refuse: " + raised_by(holder)); }
  void fail() override { outcomes_.add("fail"); }
  void fail_excep(Holder holder) override { outcomes_.add("fail: " + raised_by(holder)); }
  void sleep_ms() override { outcomes_.add("sleep_ms"); }
  void sleep_ms_excep(Holder holder) override { outcomes_.add("sleep_ms: " + raised_by(holder)); }
  void echo(const Async::Octets& octets) override { outcomes_.add("echo " + std::to_string(octets.size())); }
  void echo_excep(Holder holder) override { outcomes_.add("echo: " + raised_by(holder)); }
  void self(IDL::traits<Async::Greeter>::ref_type other) override {
    outcomes_.add(other ? "self" : "self nil");
  }
  void self_excep(Holder holder) override { outcomes_.add("self: " + raised_by(holder)); }
  void wait_at_gate() override { outcomes_.add("wait_at_gate"); }
  void wait_at_gate_excep(Holder holder) override { outcomes_.add("wait_at_gate: " + raised_by(holder)); }

 private:
  Outcomes& outcomes_;
};

using LocalHandler = RecordingHandler<Async::AMI_GreeterHandler>;
using HandlerServant = RecordingHandler<CORBA::amic_traits<Async::Greeter>::replyhandler_base_type>;
using HandlerRef = IDL::traits<Async::AMI_GreeterHandler>::ref_type;

struct AsyncOrbs {
  explicit AsyncOrbs(const Options& client = {})
      : pair({"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "8", "-ORBMaxQueuedRequests",
              "100000"},
             client),
        greeter(pair.publish<Async::Greeter>(servant)) {}

  // Waits until the last call has been delivered.
  bool none_under_way() const {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (takt::async_calls_under_way(pair.client) != 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    return takt::async_calls_under_way(pair.client) == 0;
  }
  HandlerRef handler() { return CORBA::make_reference<LocalHandler>(outcomes); }

  Outcomes outcomes;
  CORBA::servant_reference<GreeterServant> servant = CORBA::make_reference<GreeterServant>();
  OrbPair pair;
  IDL::traits<Async::Greeter>::ref_type greeter;
};

}  // namespace feature
