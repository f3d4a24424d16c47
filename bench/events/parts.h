// Parts of the programs that measure event services.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;
inline constexpr std::uint64_t window = 256;  // most events on their way to the slowest consumer
inline constexpr int alone = 1'000;           // events of which the latency is measured

// User and system time of a process; 0 for the process 0.
inline double cpu_seconds(const std::string& pid) {
  if (pid == "0") return 0;
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  std::string word;
  for (int i = 0; i < 11; ++i) rest >> word;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

inline double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

// `part` of the values are less, or as much.
inline double percentile(std::vector<double>& values, double part) {
  std::ranges::sort(values);
  return values.at(static_cast<std::size_t>(part * static_cast<double>(values.size() - 1)));
}

// Pushes events, while at most `window` are on their way, and then single ones. `least` returns how many
// events the slowest consumer has got. Prints deliveries per second; the processor time of the process `pid`,
// the channel's, and of this one, in microseconds for a delivery; and the median and the 99th percentile, in
// microseconds, of the time until the last consumer has a single event.
template <class Push, class Least>
void drive(const Push& push, const Least& least, std::size_t consumers, double seconds,
           const std::string& pid) {
  std::uint64_t pushed = 0;
  const auto arrive = [&](auto pause) {
    const auto patience = Clock::now() + std::chrono::seconds(30);
    while (least() < pushed) {
      if (Clock::now() > patience) throw std::runtime_error("events are lost");
      pause();
    }
  };
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); };
  const auto push_until = [&](Clock::time_point end) {
    while (Clock::now() < end) {
      if (pushed - least() >= window) {
        nap();
        continue;
      }
      push();
      ++pushed;
    }
    arrive(nap);
  };
  const std::string own = std::to_string(::getpid());
  push_until(Clock::now() + std::chrono::milliseconds(300));
  const std::uint64_t before = pushed;
  const double service = cpu_seconds(pid), client = cpu_seconds(own);
  const auto begin = Clock::now();
  push_until(begin + std::chrono::milliseconds(static_cast<int>(1000 * seconds)));
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto deliveries = static_cast<double>((pushed - before) * consumers);
  const double service_us = 1e6 * (cpu_seconds(pid) - service) / deliveries,
               client_us = 1e6 * (cpu_seconds(own) - client) / deliveries;
  std::vector<double> last_us;
  for (int i = 0; i < alone; ++i) {
    const auto start = Clock::now();
    push();
    ++pushed;
    arrive([] { std::this_thread::yield(); });
    last_us.push_back(microseconds(Clock::now() - start));
  }
  std::cout << deliveries / took << ' ' << service_us << ' ' << client_us << ' ' << percentile(last_us, 0.5)
            << ' ' << percentile(last_us, 0.99) << std::endl;
}

}  // namespace bench
