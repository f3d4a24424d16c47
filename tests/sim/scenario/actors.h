// The servant and the clients that call it.
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

// Executes requested work, and records it.
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
  int* kept_ = nullptr;  // memory that the planted defect leaks
};

// The client's object that its server calls back.
class Watcher final : public virtual CORBA::servant_traits<Sim::Watcher>::base_type {
 public:
  std::uint32_t begins(std::uint32_t call) override { return call; }
};

// A thread of the scenario, whose start never fails.
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

// Makes the calls of one client in sequence, and checks each result.
class Caller {
 public:
  Caller(const Plan& plan, Ledger& ledger, std::uint64_t seed, unsigned number)
      : plan_(plan), ledger_(ledger), random_(seed * 64 + number, Random::Stream::plan), number_(number) {}
  void run(const CORBA::object_reference<CORBA::ORB>& orb, const std::string& ior,
           const CORBA::object_reference<Sim::Watcher>& watcher);

 private:
  void make_call(const CORBA::object_reference<Sim::Work>& work, std::uint32_t call);
  // The random choices for a call, drawn by make_call().
  struct Lot {
    bool oneway = false;
    Messaging::SyncScope scope = Messaging::SYNC_WITH_TRANSPORT;
    Time within{0};  // a policy's limit; 0: none
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
