// simulation [--seeds FIRST COUNT | --seed N] [--over iiop|udp] [--trace] [--digest] [--plan] [--defect NAME]
// [--stop]
//
// Runs one scenario for each seed, each in a child process. Exits with 1 if anything was found; with --stop,
// at the first finding.
#include <fcntl.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <malloc.h>

#include "interposed/memory.h"
#include "machine/finding.h"
#include "scenario/scenario.h"
#include "threads/scheduling/throttling.h"

namespace takt::sim {
namespace {

struct Arguments {
  std::uint64_t first = 1, count = 1000;
  std::string_view transport;  // empty: the seed chooses
  bool trace = false, digest = false, plan = false, stop = false;
  Defect defect = Defect::none;
};

constexpr unsigned most_findings = 20;          // limit of printed findings
constexpr unsigned longest_real_seconds = 240;  // limit for one run on a busy machine

constexpr const char* defects[] = {"none",         "lost-wake-up",     "lost-readiness",
                                   "octets-twice", "forgotten-close",  "forgotten-memory",
                                   "upcall-twice", "reply-to-another", "point-left-out"};

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "simulation [--seeds FIRST COUNT | --seed N] [--over iiop|udp] [--trace] [--digest] [--plan] "
               "[--defect NAME] [--stop]\n"
               "defects:");
  for (const char* defect : defects) std::fprintf(stderr, " %s", defect);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

Defect defect_of(const char* name) {
  for (std::size_t i = 0; i < std::size(defects); ++i)
    if (std::strcmp(name, defects[i]) == 0) return static_cast<Defect>(i);
  usage();
}

Arguments read_arguments(char** argv) {
  Arguments arguments;
  const auto number = [&] { return *argv ? std::strtoull(*argv++, nullptr, 10) : (usage(), 0); };
  while (*argv) {
    const char* const option = *argv++;
    const auto is = [option](const char* name) { return std::strcmp(option, name) == 0; };
    if (is("--seed")) {
      arguments.first = number();
      arguments.count = 1;
    } else if (is("--seeds")) {
      arguments.first = number();
      arguments.count = number();
    } else if (is("--over") && *argv) {
      arguments.transport = *argv++;
      if (arguments.transport != "iiop" && arguments.transport != "udp") usage();
    } else if (is("--trace")) {
      arguments.trace = true;
    } else if (is("--digest")) {
      arguments.digest = true;
    } else if (is("--plan")) {
      arguments.plan = true;
    } else if (is("--stop")) {
      arguments.stop = true;
    } else if (is("--defect") && *argv) {
      arguments.defect = defect_of(*argv++);
    } else {
      usage();
    }
  }
  return arguments;
}

// Containers of pointers have an order that depends on addresses, so addresses must be the same in every
// process.
void fix_addresses(char** argv) {
  const int persona = ::personality(0xffffffff);
  if (persona == -1 || (persona & ADDR_NO_RANDOMIZE)) return;
  if (::personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) == -1) return;
  ::execv("/proc/self/exe", argv);
}

// Only one thread runs at a time, and starts fastest on the same processor.
void stay_on_this_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

// Makes allocations that a process keeps from first calls, so that they do not count as leaks of a run.
std::size_t warm_up() {
  os::real_time_throttling();
  Plan plan;
  plan.most_octets = 80'000;
  plan.with_deadlines = true;
  for (int round = 0; round < 2; ++round)
    for (const char* server :
         {"thread-per-connection", "reactive", "leader-followers", "worker-pool", "threading-framework"})
      for (const char* client : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
        for (const char* transport : {"iiop", "udp"}) {
          plan.server_strategy = server;
          plan.client_strategy = client;
          plan.transport = transport;
          plan.bidirectional = round == 1 && plan.server_strategy != "reactive" && !plan.over_datagrams();
          run_scenario(plan, 1, 0);
        }
  return live_blocks();
}

[[noreturn]] void run_one(const Arguments& arguments, std::uint64_t seed, std::size_t blocks) {
  ::alarm(longest_real_seconds);
  stay_on_this_processor();
  tracing() = {.seed = seed, .on = arguments.trace};
  Plan plan = Plan::of(seed, arguments.transport);
  plan.faults.defect = arguments.defect;
  if (arguments.plan) std::fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, plan.describe().c_str());
  const Outcome outcome = run_scenario(plan, seed, blocks);
  if (arguments.digest)
    std::fprintf(stderr, "seed %" PRIu64 ": digest %016" PRIx64 ", %" PRIu64 " steps, %" PRId64 " ns\n", seed,
                 outcome.digest, outcome.steps, static_cast<std::int64_t>(outcome.lasted.count()));
  ::_exit(0);
}

bool came_out_well(std::uint64_t seed, int status) {
  if (WIFSIGNALED(status))
    std::fprintf(stderr, "seed %" PRIu64 ": signal %d (%s)\n", seed, WTERMSIG(status),
                 ::strsignal(WTERMSIG(status)));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run_all(const Arguments& arguments) {
  const std::size_t blocks = warm_up();
  std::uint64_t done = 0;
  unsigned findings = 0;
  for (; done < arguments.count && findings < (arguments.stop ? 1 : most_findings); ++done) {
    const std::uint64_t seed = arguments.first + done;
    const pid_t child = ::fork();
    if (child == 0) run_one(arguments, seed, blocks);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (came_out_well(seed, status)) continue;
    ++findings;
    std::fprintf(stderr, "  again: simulation --seed %" PRIu64 " --trace\n", seed);
  }
  std::printf("%" PRIu64 " seeds from %" PRIu64 " on, %u with findings\n", done, arguments.first, findings);
  return findings ? 1 : 0;
}

}  // namespace
}  // namespace takt::sim

int main(int, char** argv) {
  takt::sim::fix_addresses(argv);
  ::mallopt(M_ARENA_MAX, 1);
  return takt::sim::run_all(takt::sim::read_arguments(argv + 1));
}
