// avionics_client REFERENCES SECONDS RUN.json [-ORB options]: calls each rate group of an avionics_server at
// its rate, from a thread with the group's priority (takt/rt/periodic.h), and writes the measured response
// times. REFERENCES is a file with the server's output.
#include <takt/corba.h>
#include <takt/rt/periodic.h>
#include <takt/rt/schedule.h>

#include <algorithm>
#include <atomic>
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
  std::chrono::nanoseconds period;
  std::function<void()> call;
  CORBA::object_reference<CORBA::Object> object;
  std::vector<std::chrono::nanoseconds> responses = {};
  std::int64_t missed = 0;
  bool called = false;
};

using TimePoint = Clock::time_point;

struct Run {
  std::atomic<TimePoint> end = TimePoint::max();
  std::latch groups;  // counts groups that have not completed a job, however busy the machine is

  void call(Group& group, const takt::rt::PeriodicJob& job);
};

// A release that was left out because the previous job took too long is a miss too.
void Run::call(Group& group, const takt::rt::PeriodicJob& job) {
  const bool first = !std::exchange(group.called, true);
  if (job.release >= end.load() && !first) return;
  const struct Counted {  // counts down even if the call throws
    std::latch* groups;
    ~Counted() {
      if (groups) groups->count_down();
    }
  } counted{first ? &groups : nullptr};
  group.call();
  const auto response = Clock::now() - job.release;
  group.responses.push_back(response);
  group.missed += static_cast<std::int64_t>(job.left_out) + (response > group.period ? 1 : 0);
}

// Takes rates and thread priorities from the schedule.
CORBA::object_reference<takt::rt::PeriodicDispatcher> dispatcher_for(const Orb& orb,
                                                                     std::vector<Group>& groups, Run& run) {
  const auto dispatcher = IDL::traits<takt::rt::PeriodicDispatcher>::narrow(
      orb->resolve_initial_references("PeriodicDispatcher"));
  for (Group& group : groups)
    dispatcher->add({.operation = group.operation,
                     .call = [&group, &run](const takt::rt::PeriodicJob& job) { run.call(group, job); },
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
Group group_of(const Orb& orb, const char* operation, std::chrono::nanoseconds period,
               std::map<std::string, std::string>& references, void (Interface::*call)()) {
  const auto object = IDL::traits<Interface>::narrow(orb->string_to_object(references[operation]));
  return {operation, period, [=] { (*object.*call)(); }, object};
}

std::vector<Group> groups_of(const Orb& orb, std::map<std::string, std::string> references) {
  using namespace Avionics;
  return {group_of(orb, "Avionics::Navigation::update", 50ms, references, &Navigation::update),
          group_of(orb, "Avionics::Steering::command", 100ms, references, &Steering::command),
          group_of(orb, "Avionics::Display::draw", 200ms, references, &Display::draw),
          group_of(orb, "Avionics::Maintenance::log", 1s, references, &Maintenance::log)};
}

void write(std::vector<Group>& groups, const std::string& file) {
  std::ofstream json(file);
  json << "{\"operations\": [";
  for (Group& group : groups) {
    auto& times = group.responses;
    std::ranges::sort(times);
    const auto at = [&](double share) {
      return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))].count();
    };
    json << (&group == groups.data() ? "\n" : ",\n") << "  {\"entry_point\": \"" << group.operation
         << "\", \"jobs\": " << times.size() << ", \"misses\": " << group.missed
         << ", \"median_ns\": " << at(0.5) << ", \"p99_ns\": " << at(0.99) << ", \"longest_ns\": " << at(1)
         << ", \"jitter_ns\": " << (times.back() - times.front()).count() << "}";
  }
  json << "\n]}\n";
  if (!json.flush()) throw std::runtime_error(file + ": cannot be written");
}

void show_progress(std::chrono::seconds whole, Clock::time_point start) {
  for (auto second = 0s; second <= whole; ++second) {
    std::this_thread::sleep_until(start + second);
    std::cerr << "\r  " << second.count() << " of " << whole.count() << " s " << std::flush;
  }
  std::cerr << "\r                \r";
}

}  // namespace

int main(int argc, char* argv[]) {
  return bench::run_main("avionics_client", [&] {
    const Orb orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) throw std::runtime_error("usage: avionics_client REFERENCES SECONDS RUN.json");
    auto groups = groups_of(orb, references_in(argv[1]));
    const std::chrono::seconds whole(std::max(1, std::atoi(argv[2])));
    const auto scheduler =
        IDL::traits<takt::rt::RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
    scheduler->install(avionics_table::scheduled_operations());
    Run run{.groups = std::latch(std::ssize(groups))};
    const auto dispatcher = dispatcher_for(orb, groups, run);
    const auto start = dispatcher->start({.first = Clock::now() + 200ms});
    run.end = start + whole;
    show_progress(whole, start);
    run.groups.wait();
    dispatcher->stop();
    for (const auto& each : scheduler->statistics())
      if (each.failures > 0) throw std::runtime_error(each.name + ": calls of it have failed");
    write(groups, argv[3]);
    orb->destroy();
  });
}
