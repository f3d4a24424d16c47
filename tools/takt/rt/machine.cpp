#include "rt/machine.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include "threads/scheduling/throttling.h"

namespace takt::command {
namespace {

namespace fs = std::filesystem;

// The first line of a file; empty if it cannot be read.
std::optional<std::string> line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<long long> number_of(const fs::path& path) {
  const auto line = line_of(path);
  if (!line) return std::nullopt;
  long long number = 0;
  const auto read = std::from_chars(line->data(), line->data() + line->size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// The entries of `folder` named `prefix` and a number.
std::vector<fs::path> numbered(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    const auto number = name.substr(std::min(prefix.size(), name.size()));
    if (name.starts_with(prefix) && !number.empty() &&
        std::ranges::all_of(number, [](unsigned char digit) { return std::isdigit(digit) != 0; }))
      found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string ms(long long microseconds) {
  return std::to_string(microseconds / 1000) +
         (microseconds % 1000 ? "." + std::to_string(microseconds % 1000 / 100) : "") + " ms";
}

Finding kernel(const fs::path& root) {
  const auto release = line_of(root / "proc/sys/kernel/osrelease");
  if (!release) return {"kernel", Health::unknown, "the system does not report it"};
  return {"kernel", Health::good, "Linux " + *release};
}

// If the kernel has several preemption models, the active one is in parentheses.
std::optional<std::string> chosen_preemption(const fs::path& root) {
  const auto models = line_of(root / "sys/kernel/debug/sched/preempt");
  if (!models) return std::nullopt;
  const auto begin = models->find('('), end = models->find(')');
  if (begin == models->npos || end == models->npos || end < begin) return std::nullopt;
  return models->substr(begin + 1, end - begin - 1);
}

Finding preemption(const fs::path& root) {
  constexpr const char* advice =
      "boot with preempt=full, or a kernel with PREEMPT_RT (Debian: linux-image-rt-amd64)";
  if (number_of(root / "sys/kernel/realtime").value_or(0) == 1)
    return {"preemption", Health::good, "PREEMPT_RT: threads preempt the kernel nearly everywhere"};
  if (const auto model = chosen_preemption(root)) {
    if (*model == "full")
      return {"preemption", Health::note, "full, without PREEMPT_RT: interrupts are not preempted"};
    return {"preemption", Health::bad, *model + ": a system call of another thread runs to its end first",
            advice};
  }
  const std::string version = line_of(root / "proc/version").value_or("");
  if (version.find("PREEMPT_RT") != version.npos) return {"preemption", Health::good, "PREEMPT_RT"};
  if (version.find("PREEMPT_DYNAMIC") != version.npos)
    return {"preemption", Health::unknown, "chosen at boot; root can see in /sys/kernel/debug which model",
            "mount -t debugfs none /sys/kernel/debug"};
  if (version.find("PREEMPT") != version.npos)
    return {"preemption", Health::note, "full, without PREEMPT_RT"};
  return {"preemption", Health::bad,
          "none or voluntary: a system call of another thread runs to its end first", advice};
}

Finding throttling(const fs::path& root) {
  const os::Throttling stopped = os::throttling(root / "");
  if (!stopped.known()) return {"throttling", Health::unknown, "the system does not report it"};
  if (!stopped.stops_threads()) return {"throttling", Health::good, "real-time threads are not stopped"};
  return {"throttling", Health::note,
          "real-time threads that use " + ms(*stopped.runtime_us) + " of " + ms(*stopped.period_us) +
              " are stopped for the rest of the period",
          "sysctl kernel.sched_rt_runtime_us=-1, if no real-time thread can loop forever"};
}

Finding fair_server(const fs::path& root) {
  const os::FairServer server = os::fair_server(root / "");
  switch (server.state) {
    case os::FairServer::State::absent:
      return {"fair server", Health::good, "this kernel has none"};
    case os::FairServer::State::off:
      return {"fair server", Health::good, "off"};
    case os::FairServer::State::on:
      return {"fair server", Health::bad,
              "waiting ordinary threads get " + ms(server.runtime_ns / 1000) + " of each " +
                  ms(server.period_ns / 1000) + " before real-time ones",
              "echo 0 > /" + server.folder +
                  "/runtime for each processor, or reserve time (-ORBLaneReservations)"};
    case os::FairServer::State::unknown:
      break;
  }
  return {"fair server", Health::unknown, "root can see in /sys/kernel/debug whether there is one",
          "mount -t debugfs none /sys/kernel/debug"};
}

Finding governor(const fs::path& root) {
  std::set<std::string> governors;
  for (const fs::path& processor : numbered(root / "sys/devices/system/cpu", "cpu"))
    if (const auto name = line_of(processor / "cpufreq/scaling_governor")) governors.insert(*name);
  if (governors.empty())
    return {"frequency", Health::good, "no governor: the frequency is fixed, or the host controls it"};
  if (governors == std::set<std::string>{"performance"})
    return {"frequency", Health::good, "governor performance"};
  std::string all;
  for (const std::string& name : governors) all += (all.empty() ? "" : ", ") + name;
  return {"frequency", Health::bad, "governor " + all + ": a processor starts slowly after it was idle",
          "cpupower frequency-set -g performance"};
}

Finding idle_states(const fs::path& root) {
  long long slowest = -1;
  std::string name;
  for (const fs::path& processor : numbered(root / "sys/devices/system/cpu", "cpu"))
    for (const fs::path& state : numbered(processor / "cpuidle", "state")) {
      if (number_of(state / "disable").value_or(0) == 1) continue;
      const long long latency = number_of(state / "latency").value_or(0);
      if (latency > slowest) {
        slowest = latency;
        name = line_of(state / "name").value_or("");
      }
    }
  if (slowest < 0) return {"idle states", Health::good, "none are visible"};
  const std::string found = "the deepest, " + name + ", takes " + std::to_string(slowest) + " us to leave";
  if (slowest <= 20) return {"idle states", Health::good, found};
  return {"idle states", slowest <= 200 ? Health::note : Health::bad, found,
          "cpupower idle-set -D 20, or boot with processor.max_cstate=1"};
}

Finding isolation(const fs::path& root) {
  const auto isolated = line_of(root / "sys/devices/system/cpu/isolated");
  if (isolated && !isolated->empty()) return {"isolated cores", Health::good, *isolated};
  return {"isolated cores", Health::note, "none: other threads and interrupts share every core",
          "boot with isolcpus=N nohz_full=N, and give lanes that core (-ORBLaneCpus)"};
}

Finding swap(const fs::path& root) {
  std::ifstream file(root / "proc/swaps");
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  if (lines <= 1) return {"swap", Health::good, "none"};
  return {"swap", Health::note,
          std::to_string(lines - 1) + " areas: pages that are not locked may be swapped out",
          "-ORBLockMemory on, or swapoff -a"};
}

Finding clock_source(const fs::path& root) {
  const auto name = line_of(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!name) return {"clock", Health::unknown, "the system does not report it"};
  const bool slow = *name == "hpet" || *name == "acpi_pm" || *name == "jiffies";
  if (!slow) return {"clock", Health::good, *name};
  return {"clock", Health::bad, *name + ": reading the time needs a system call, or is coarse",
          "boot with clocksource=tsc, if the processor's TSC is reliable"};
}

}  // namespace

const char* to_text(Health health) {
  switch (health) {
    case Health::good:
      return "good";
    case Health::note:
      return "note";
    case Health::bad:
      return "BAD";
    case Health::unknown:
      break;
  }
  return "unknown";
}

std::vector<Finding> settings_of(const fs::path& root) {
  std::vector<Finding> findings;
  for (auto* const check :
       {kernel, preemption, throttling, fair_server, governor, idle_states, isolation, swap, clock_source})
    findings.push_back(check(root));
  return findings;
}

}  // namespace takt::command
