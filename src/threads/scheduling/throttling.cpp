#include "threads/scheduling/throttling.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace takt::os {
namespace {

constexpr const char* debug_folder = "sys/kernel/debug/sched";
constexpr const char* runtime_file = "proc/sys/kernel/sched_rt_runtime_us";
constexpr const char* period_file = "proc/sys/kernel/sched_rt_period_us";

std::optional<long long> number_in(const std::string& path) {
  std::ifstream file(path);
  long long number = 0;
  if (!(file >> number)) return std::nullopt;
  return number;
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

bool kernel_has_fair_server() {
  utsname system{};
  int major = 0, minor = 0;
  return ::uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 6 || (major == 6 && minor >= 12));
}

// In microseconds; 0: none.
long long fair_share_us() {
  constexpr long long default_us = 50'000;
  const FairServer server = fair_server();
  if (server.state == FairServer::State::on) return server.runtime_ns / 1000;
  return server.state == FairServer::State::unknown && kernel_has_fair_server() ? default_us : 0;
}

}  // namespace

Throttling throttling(const std::string& root) {
  return {number_in(root + runtime_file), number_in(root + period_file)};
}

[[gnu::cold]] FairServer fair_server(const std::string& root) {
  const std::string servers = std::string(debug_folder) + "/fair_server";
  FairServer found;
  for (int processor = 0;; ++processor) {
    std::string folder = servers + "/cpu" + std::to_string(processor);
    const auto runtime = number_in(root + folder + "/runtime");
    if (!runtime) break;
    found.state = FairServer::State::off;
    if (*runtime <= 0) continue;
    const long long period = number_in(root + folder + "/period").value_or(0);
    return {FairServer::State::on, std::move(folder), *runtime, period};
  }
  if (found.state == FairServer::State::unknown && exists(root + debug_folder))
    found.state = FairServer::State::absent;
  return found;
}

namespace {

[[gnu::cold]] std::string read_real_time_throttling() {
  const Throttling stopped = throttling();
  std::string text;
  if (stopped.stops_threads())
    text = "real-time threads get " + std::to_string(*stopped.runtime_us) + " us of each " +
           std::to_string(*stopped.period_us) + " us at most (/" + runtime_file + ")";
  if (const long long share_us = fair_share_us(); share_us != 0)
    text.append(text.empty() ? "" : "; ")
        .append("ordinary threads that wait get " + std::to_string(share_us) +
                " us of a second before real-time ones (/" + debug_folder + "/fair_server)");
  return text;
}

}  // namespace

const std::string& real_time_throttling() {
  static const std::string text = read_real_time_throttling();
  return text;
}

}  // namespace takt::os
