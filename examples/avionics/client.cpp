// avionics_client REFERENCES SECONDS [-ORB options]: calls each rate group of an avionics_server at its rate,
// from a thread with the group's priority (takt/rt/periodic.h). REFERENCES is a file with the server's
// output. With -ORBRunRecord FILE, the ORB writes the measured response times.
#include <takt/corba.h>
#include <takt/rt/periodic.h>
#include <takt/rt/schedule.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <latch>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "avionicsC.h"
#include "avionics_table_run_time.h"
#include "common/serve.h"

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Orb = IDL::traits<CORBA::ORB>::ref_type;

struct Group {
  std::string operation;
  std::function<void()> call;
  CORBA::object_reference<CORBA::Object> object;
};

// Takes rates and thread priorities from the schedule. `first_jobs` counts down when a group has completed
// its first job, however busy the machine is.
CORBA::object_reference<takt::rt::PeriodicDispatcher> dispatcher_for(const Orb& orb,
                                                                     const std::vector<Group>& groups,
                                                                     std::latch& first_jobs) {
  const auto dispatcher = IDL::traits<takt::rt::PeriodicDispatcher>::narrow(
      orb->resolve_initial_references("PeriodicDispatcher"));
  for (const Group& group : groups)
    dispatcher->add({.operation = group.operation,
                     .call =
                         [&group, &first_jobs, first = true](const takt::rt::PeriodicJob&) mutable {
                           const struct Counted {  // counts down even if the call throws
                             std::latch* jobs;
                             ~Counted() {
                               if (jobs) jobs->count_down();
                             }
                           } counted{std::exchange(first, false) ? &first_jobs : nullptr};
                           group.call();
                         },
                     .prepare = [&group] {  // connects in advance, so that the first job does not pay for it
                       CORBA::PolicyList inconsistent;
                       group.object->_validate_connection(inconsistent);
                     }});
  return dispatcher;
}

std::map<std::string, std::string> references_in(const std::string& file) {
  std::map<std::string, std::string> references;
  std::ifstream lines(file);
  for (std::string operation, reference; lines >> operation && operation != "END" && lines >> reference;)
    references[operation] = reference;
  if (references.size() < 4) throw std::runtime_error(file + ": four references were expected");
  return references;
}

template <class Interface>
Group group_of(const Orb& orb, const char* operation, std::map<std::string, std::string>& references,
               void (Interface::*call)()) {
  const auto object = IDL::traits<Interface>::narrow(orb->string_to_object(references[operation]));
  return {operation, [=] { (*object.*call)(); }, object};
}

std::vector<Group> groups_of(const Orb& orb, std::map<std::string, std::string> references) {
  using namespace Avionics;
  return {group_of(orb, "Avionics::Navigation::update", references, &Navigation::update),
          group_of(orb, "Avionics::Steering::command", references, &Steering::command),
          group_of(orb, "Avionics::Display::draw", references, &Display::draw),
          group_of(orb, "Avionics::Maintenance::log", references, &Maintenance::log)};
}

// Returns just before `whole` is over, so that releases at its end do not begin.
void wait_for(std::chrono::seconds whole, Clock::time_point start) {
  for (auto second = 0s; second < whole; ++second) {
    std::this_thread::sleep_until(start + second);
    std::cerr << "\r  " << second.count() << " of " << whole.count() << " s " << std::flush;
  }
  std::this_thread::sleep_until(start + whole - 5ms);
  std::cerr << "\r                \r";
}

}  // namespace

int main(int argc, char* argv[]) {
  return bench::run_main("avionics_client", [&] {
    const Orb orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) throw std::runtime_error("usage: avionics_client REFERENCES SECONDS [-ORBRunRecord FILE]");
    const auto groups = groups_of(orb, references_in(argv[1]));
    const std::chrono::seconds whole(std::max(1, std::atoi(argv[2])));
    const auto scheduler =
        IDL::traits<takt::rt::RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
    scheduler->install(avionics_table::scheduled_operations());
    std::latch first_jobs(std::ssize(groups));
    const auto dispatcher = dispatcher_for(orb, groups, first_jobs);
    wait_for(whole, dispatcher->start({.first = Clock::now() + 200ms}));
    first_jobs.wait();
    dispatcher->stop();
    for (const auto& each : scheduler->statistics())
      if (each.failures > 0) throw std::runtime_error(each.name + ": calls of it have failed");
    orb->destroy();  // writes the run's record, if requested
  });
}
