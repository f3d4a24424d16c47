// avionics_server [-ORB options]: serves the rate groups of avionics.idl, each at the priority in its table.
// Prints a line "OPERATION REFERENCE" for each group, then END. When its standard input closes, prints what
// it counted for each group and ends.
//
// avionics_server --configure REFERENCE [-ORB options]: a configuration run. Registers the declarations of
// the IDL with the Scheduling Service at REFERENCE (takt schedule serve), and exits.
#include <takt/corba.h>
#include <takt/rt/declared_operation.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <random>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "RT_SchedulerC.h"
#include "avionicsS.h"
#include "avionics_schedule.h"
#include "avionics_table.h"
#include "avionics_table_run_time.h"
#include "common/serve.h"
#include "scheduling/service/registration.h"

namespace {

using namespace std::chrono_literals;
using Orb = IDL::traits<CORBA::ORB>::ref_type;
using Poa = CORBA::object_reference<PortableServer::POA>;
using SensorsRef = IDL::traits<Avionics::Sensors>::ref_type;

std::chrono::nanoseconds processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// The part of a remote operation's declared worst case that is reserved for the call itself: the ORB, the
// operating system, a first job with cold caches, and wake-ups on a virtual machine: up to 0.6 ms together,
// and 1.7 ms beside neighbours that keep its memory busy.
constexpr std::chrono::microseconds call_allowance = 2ms;

// The job of this thread: one call of a rate group's operation, with all further calls.
struct Job {
  unsigned number = 0;
  double share = 1;       // the fraction of each worst case that this job takes
  bool has_read = false;  // only the first reading takes time; later ones return its result

  // The first job takes the worst case, because the first jobs of all operations are released together. So
  // does a quarter of the later jobs; the others take between half and all of it.
  void begin() {
    const double drawn = static_cast<double>(std::minstd_rand(number)() % 1024) / 1024;
    share = number == 0 || drawn < 0.25 ? 1 : 0.5 + drawn / 2;
    ++number;
    has_read = false;
  }
};
thread_local Job job;

// Uses this job's share of the worst case in processor time.
void work(std::chrono::duration<double, std::micro> longest) {
  const auto end =
      processor_time() + std::chrono::duration_cast<std::chrono::nanoseconds>(longest * job.share);
  while (processor_time() < end) {
  }
}

class Sensors final : public virtual CORBA::servant_traits<Avionics::Sensors>::base_type {
 public:
  double filter(double raw) override {
    work(1500us);
    return raw / 2;
  }
  double read() override {
    if (std::exchange(job.has_read, true)) {
      work(200us);
      return 0;
    }
    work(4ms);
    const SensorsRef self = _this();  // calls through a reference are measured as the callee's
    return self->filter(1) + self->filter(2);
  }
};

class Navigation final : public virtual CORBA::servant_traits<Avionics::Navigation>::base_type {
 public:
  explicit Navigation(SensorsRef sensors) : sensors_(std::move(sensors)) {}
  void update() override {
    job.begin();
    sensors_->read();
    work(6ms - call_allowance);
  }

 private:
  const SensorsRef sensors_;
};

class Steering final : public virtual CORBA::servant_traits<Avionics::Steering>::base_type {
 public:
  explicit Steering(SensorsRef sensors) : sensors_(std::move(sensors)) {}
  void command() override {
    job.begin();
    for (int i = 0; i < 3; ++i) sensors_->read();
    work(12ms - call_allowance);
  }

 private:
  const SensorsRef sensors_;
};

class Display final : public virtual CORBA::servant_traits<Avionics::Display>::base_type {
 public:
  void draw() override {
    job.begin();
    work(30ms - call_allowance);
  }
};

class Maintenance final : public virtual CORBA::servant_traits<Avionics::Maintenance>::base_type {
 public:
  void log() override {
    job.begin();
    work(80ms - call_allowance);
  }
};

// One lane with one thread, and therefore a reactor and an endpoint, for each priority in the table.
class RateGroups {
 public:
  explicit RateGroups(const Orb& orb)
      : orb_(orb),
        rt_(IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"))),
        root_(IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"))) {
    std::set<RTCORBA::Priority> priorities;
    for (const auto& each : avionics_table::priorities)
      priorities.insert(static_cast<RTCORBA::Priority>(each.priority));
    RTCORBA::ThreadpoolLanes lanes;
    for (const RTCORBA::Priority priority : priorities) lanes.push_back({priority, 1, 0});
    pool_ = rt_->create_threadpool_with_lanes(0, lanes, false, false, 0, 0);
  }

  // A passive operation: runs in the caller's thread.
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type passive(const Servant& servant) {
    return IDL::traits<Interface>::narrow(root_->id_to_reference(root_->activate_object(servant)));
  }
  template <class Servant>
  void publish(const char* operation, const Servant& servant) {
    const int handle = avionics_table::handle_of(operation);
    if (handle == 0) throw std::runtime_error(std::string(operation) + " is not in the table: make it anew");
    const auto poa =
        root_->create_POA(operation, root_->the_POAManager(),
                          {rt_->create_threadpool_policy(pool_),
                           rt_->create_priority_model_policy(
                               RTCORBA::PriorityModel::SERVER_DECLARED,
                               static_cast<RTCORBA::Priority>(avionics_table::priority(handle).priority))});
    const auto reference = poa->id_to_reference(poa->activate_object(servant));
    std::cout << operation << ' ' << orb_->object_to_string(reference) << '\n';
  }
  void begin() { root_->the_POAManager()->activate(); }

 private:
  Orb orb_;
  CORBA::object_reference<RTCORBA::RTORB> rt_;
  Poa root_;
  RTCORBA::ThreadpoolId pool_ = 0;
};

// Refuses to start unless the priorities were computed from the present declarations.
void require_table() {
  const auto wrong = takt::rt::table_mismatch(avionics_schedule::operations, avionics_table::declaration_of);
  if (wrong) throw std::runtime_error(*wrong);
}

void configure(const Orb& orb, const char* reference) {
  const auto scheduler = IDL::traits<RT_Scheduler::Scheduler>::narrow(orb->string_to_object(reference));
  if (!scheduler) throw std::runtime_error(std::string(reference) + ": is of no Scheduling Service");
  takt::scheduling::register_operations(*scheduler, avionics_schedule::operations);
  orb->destroy();
}

using Scheduler = CORBA::object_reference<takt::rt::RunTimeScheduler>;

void print(const Scheduler& scheduler) {
  const auto ms = [](std::chrono::nanoseconds time) { return 1e-6 * static_cast<double>(time.count()); };
  std::printf("%-30s%-12s%-12s%-12s%-12s%s\n", "counted by the server", "upcalls", "missed", "slowest, ms",
              "overruns", "processor time, ms");
  for (const auto& each : scheduler->statistics())
    if (each.begun > 0)
      std::printf("%-30s%-12ju%-12ju%-12.3f%-12ju%.3f\n", each.name.c_str(), std::uintmax_t{each.begun},
                  std::uintmax_t{each.deadlines_missed}, ms(each.longest_response),
                  std::uintmax_t{each.overruns}, ms(each.longest_execution));
  std::fflush(stdout);
}

void serve(const Orb& orb) {
  require_table();
  const auto scheduler =
      IDL::traits<takt::rt::RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
  scheduler->install(avionics_table::scheduled_operations());
  RateGroups groups(orb);
  const auto sensors = groups.passive<Avionics::Sensors>(CORBA::make_reference<Sensors>());
  groups.publish("Avionics::Navigation::update", CORBA::make_reference<Navigation>(sensors));
  groups.publish("Avionics::Steering::command", CORBA::make_reference<Steering>(sensors));
  groups.publish("Avionics::Display::draw", CORBA::make_reference<Display>());
  groups.publish("Avionics::Maintenance::log", CORBA::make_reference<Maintenance>());
  groups.begin();
  std::cout << "END" << std::endl;
  std::thread runner([orb] { orb->run(); });
  bench::wait_until_stdin_closes();
  print(scheduler);
  orb->destroy();  // writes the measured times, if requested
  runner.join();
}

}  // namespace

int main(int argc, char* argv[]) {
  return bench::run_main("avionics_server", [&] {
    const Orb orb = CORBA::ORB_init(argc, argv);
    if (argc == 3 && std::string_view(argv[1]) == "--configure") return configure(orb, argv[2]);
    if (argc != 1) throw std::runtime_error("usage: avionics_server [--configure REFERENCE] [-ORB options]");
    serve(orb);
  });
}
