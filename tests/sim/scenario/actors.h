// The servant, and the clients that call it.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include <takt/corba.h>
#include <takt/reference/messaging.h>

#include "machine/random.h"
#include "scenario/ledger.h"
#include "scenario/plan.h"
#include "workS.h"

namespace takt::sim {

// Runs what it is asked to, and keeps account.
class Worker final : public virtual CORBA::servant_traits<Sim::Work>::base_type {
 public:
  Worker(Ledger& ledger, const Plan& plan) : ledger_(ledger), plan_(plan) {}
  void watch(CORBA::object_reference<Sim::Watcher> by) override;
  Sim::Octets run(std::uint32_t call, const Sim::Octets& argument, std::uint32_t result_octets,
                  std::uint32_t microseconds) override;
  void note(std::uint32_t call, const Sim::Octets& argument) override;

 private:
  void take(std::uint32_t call, const Sim::Octets& argument);
  void tell(std::uint32_t call);
  Ledger& ledger_;
  const Plan& plan_;
  std::mutex mutex_;
  CORBA::object_reference<Sim::Watcher> watcher_;
  int* kept_ = nullptr;  // what the defect forgets
};

// What a client has for its server to call.
class Watcher final : public virtual CORBA::servant_traits<Sim::Watcher>::base_type {
 public:
  std::uint32_t begins(std::uint32_t call) override { return call; }
};

// A thread of the scenario's own, which always starts.
class Actor {
 public:
  Actor(const char* name, std::function<void()> body);
  ~Actor() { join(); }
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  void join();

 private:
  static void* run(void* actor);
  std::function<void()> body_;
  pthread_t handle_{};
  bool joined_ = false;
};

// Makes the calls of one client, one after the other, and judges what comes of each.
class Caller {
 public:
  Caller(const Plan& plan, Ledger& ledger, std::uint64_t seed, unsigned number)
      : plan_(plan), ledger_(ledger), random_(seed * 64 + number, Random::Stream::plan), number_(number) {}
  void run(const CORBA::object_reference<CORBA::ORB>& orb, const std::string& ior,
           const CORBA::object_reference<Sim::Watcher>& watcher);

 private:
  void make_call(const CORBA::object_reference<Sim::Work>& work, std::uint32_t call);
  // As make_call() has drawn lots for it.
  struct Lot {
    bool oneway = false;
    Messaging::SyncScope scope = Messaging::SYNC_WITH_TRANSPORT;
    Time within{0};  // a policy's; 0: none
  };
  Lot draw();
  Ledger::Told call(Sim::Work& work, std::uint32_t call, const Lot& lot);
  Ledger::Told call_run(Sim::Work& work, std::uint32_t call);
  static CORBA::object_reference<Sim::Work> under_policies(const CORBA::object_reference<Sim::Work>& work,
                                                           const Lot& lot);
  Time longest(Time within) const;
  std::size_t size();

  const Plan& plan_;
  Ledger& ledger_;
  Random random_;
  const unsigned number_;
};

}  // namespace takt::sim
