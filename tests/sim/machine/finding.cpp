#include "machine/finding.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "machine/machine.h"

namespace takt::sim {

Tracing& tracing() {
  static Tracing instance;
  return instance;
}

void report_finding(const std::string& what) {
  const bool running = simulated();
  std::fprintf(stderr, "seed %" PRIu64 ": %s\n", tracing().seed, what.c_str());
  if (running) {
    const Machine& now = machine();
    std::fprintf(stderr, "  found by thread %u at %" PRId64 " ns, step %" PRIu64 "\n%s%s",
                 Scheduler::current()->number, static_cast<std::int64_t>(now.scheduler.now().count()),
                 now.scheduler.steps(), now.scheduler.describe_threads().c_str(),
                 now.descriptors.describe().c_str());
  }
  std::fflush(stderr);
  ::_exit(1);
}

void trace(const char* what, std::uint64_t about) {
  if (!tracing().on) return;
  const SimThread* const self = Scheduler::current();
  std::fprintf(stderr, "%12" PRId64 " %2u %-15s %s %" PRIu64 "\n",
               self ? static_cast<std::int64_t>(machine().scheduler.now().count()) : 0,
               self ? self->number : 0, self ? self->name.c_str() : "", what, about);
}

}  // namespace takt::sim
