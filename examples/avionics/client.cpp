// avionics_client REFERENCES SECONDS RUN.json [-ORB options]: calls each rate group of an avionics_server at
// its rate, from a thread of the group's priority, and writes what came of it. REFERENCES is what the server
// printed.
#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <thread>
#include <vector>

#include "avionicsC.h"
#include "avionics_table.h"
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
};

// A job that comes late for its own period leaves out those that it has overslept; each of them is a miss.
void run(Group& group, Clock::time_point start, Clock::time_point end) {
  for (auto release = start; release < end; release += group.period) {
    std::this_thread::sleep_until(release);
    group.call();
    const auto response = Clock::now() - release;
    group.responses.push_back(response);
    if (response <= group.period) continue;
    const auto overslept = response / group.period - 1;
    group.missed += 1 + overslept;
    release += overslept * group.period;
  }
}

void run_at_its_priority(const Orb& orb, Group& group, Clock::time_point start, Clock::time_point end) {
  const auto current = IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"));
  const int handle = avionics_table::handle_of(group.operation);
  current->the_priority(static_cast<RTCORBA::Priority>(avionics_table::priority(handle).priority));
  CORBA::PolicyList inconsistent;
  group.object->_validate_connection(inconsistent);  // the thread's, so that the first job pays for none
  run(group, start, end);
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
    const auto start = Clock::now() + 200ms;
    {
      std::vector<std::jthread> threads;
      for (Group& group : groups)
        threads.emplace_back([&] { run_at_its_priority(orb, group, start, start + whole); });
      show_progress(whole, start);
    }
    write(groups, argv[3]);
    orb->destroy();
  });
}
