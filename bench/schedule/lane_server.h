// A server with a lane of one thread for each level of a schedule, all on one processor, and its client on
// another processor, in one process.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <string>
#include <vector>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include "common/processor_time.h"
#include "loadS.h"

namespace bench {

using Orb = IDL::traits<CORBA::ORB>::ref_type;
using LoadRef = IDL::traits<Bench::Load>::ref_type;

inline constexpr RTCORBA::Priority most_urgent = 40;  // as a SCHED_FIFO priority
constexpr RTCORBA::Priority priority_of(int level) {
  return static_cast<RTCORBA::Priority>(most_urgent - level);
}

class SpinningLoad final : public virtual CORBA::servant_traits<Bench::Load>::base_type {
 public:
  void spin(std::uint64_t time) override { work_for(nanoseconds(time)); }
  void fast(std::uint64_t time) override { spin(time); }
  void middle(std::uint64_t time) override { spin(time); }
  void slow(std::uint64_t time) override { spin(time); }
};

struct Processors {
  int client = 0, server = 0;
};

// The first and the last processor that the process may use.
inline Processors processors() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  ::sched_getaffinity(0, sizeof mine, &mine);
  Processors found{-1, 0};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mine)) continue;
    if (found.client < 0) found.client = cpu;
    found.server = cpu;
  }
  return found;
}

inline bool may_use_real_time() {
  const sched_param wanted{.sched_priority = most_urgent}, before{.sched_priority = 0};
  if (::sched_setscheduler(0, SCHED_FIFO, &wanted) != 0) return false;
  ::sched_setscheduler(0, SCHED_OTHER, &before);
  return true;
}

class LaneServer {
 public:
  // Level 0 is the most urgent. The schedule may be empty. With a reservation (BUDGET/PERIOD), level 0 uses
  // the operating system's deadline scheduling and runs on any processor, because Linux admits no other such
  // threads.
  LaneServer(int levels, const Processors& on, std::vector<takt::rt::ScheduledOperation> schedule = {},
             const std::string& reservation = {})
      : client_processor_(on.client),
        server_(server_orb(levels, on.server, reservation)),
        client_(client_orb()) {
    scheduler_ = narrowed<takt::rt::RunTimeScheduler>(server_, "RunTimeScheduler");
    if (!schedule.empty()) scheduler_->install(std::move(schedule));
    const auto rt = narrowed<RTCORBA::RTORB>(server_, "RTORB");
    const auto root = narrowed<PortableServer::POA>(server_, "RootPOA");
    RTCORBA::ThreadpoolLanes lanes;
    for (int level = 0; level < levels; ++level) lanes.push_back({priority_of(level), 1, 0});
    const auto pool = rt->create_threadpool_with_lanes(0, lanes, false, false, 0, 0);
    for (int level = 0; level < levels; ++level) {
      const auto poa = root->create_POA(
          std::to_string(level), root->the_POAManager(),
          {rt->create_threadpool_policy(pool),
           rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, priority_of(level))});
      const auto reference =
          poa->id_to_reference(poa->activate_object(CORBA::make_reference<SpinningLoad>()));
      loads_.push_back(
          IDL::traits<Bench::Load>::narrow(client_->string_to_object(server_->object_to_string(reference))));
    }
    root->the_POAManager()->activate();
  }
  ~LaneServer() {
    loads_.clear();
    client_->destroy();
    server_->destroy();
  }
  LaneServer(const LaneServer&) = delete;
  LaneServer& operator=(const LaneServer&) = delete;

  // The object at a level, for the calling thread, which gets the level's priority and a connection.
  LoadRef enter(int level) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(client_processor_, &one);
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
    narrowed<RTCORBA::Current>(client_, "RTCurrent")->the_priority(priority_of(level));
    const LoadRef load = loads_[static_cast<std::size_t>(level)];
    load->spin(0);
    return load;
  }
  std::vector<takt::rt::OperationStatistics> statistics() const { return scheduler_->statistics(); }

 private:
  template <class Interface>
  static CORBA::object_reference<Interface> narrowed(const Orb& orb, const char* service) {
    return IDL::traits<Interface>::narrow(orb->resolve_initial_references(service));
  }
  static Orb make_orb(std::vector<std::string> options, const char* role) {
    static int count = 0;
    options.insert(options.begin(), {"bench", "-ORBPersonality", "avionics", "-ORBLogLevel", "off"});
    std::vector<char*> argv;
    for (auto& option : options) argv.push_back(option.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(options.size());
    return CORBA::ORB_init(argc, argv.data(), role + std::to_string(++count));
  }
  static Orb server_orb(int levels, int processor, const std::string& reservation) {
    std::vector<std::string> options{"-ORBListenEndpoints", "iiop://127.0.0.1:0"};
    if (!reservation.empty())
      options.insert(options.end(),
                     {"-ORBLaneReservations", std::to_string(priority_of(0)) + "=" + reservation});
    for (int level = reservation.empty() ? 0 : 1; level < levels; ++level)
      options.insert(options.end(),
                     {"-ORBLaneCpus", std::to_string(priority_of(level)) + "=" + std::to_string(processor)});
    return make_orb(std::move(options), "server");
  }
  static Orb client_orb() { return make_orb({}, "client"); }

  const int client_processor_;
  const Orb server_, client_;
  CORBA::object_reference<takt::rt::RunTimeScheduler> scheduler_;
  std::vector<LoadRef> loads_;
};

}  // namespace bench
