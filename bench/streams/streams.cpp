// bench_streams takt|calls|urgent|raw OCTETS RATE FLOWS MILLISECONDS PACKET: prints frames sent, received and
// left out, processor time in ns, how far behind frames are sent in ns (median, 99 %, worst), their jitter
// where they arrive in the same way, and durations of control calls in ns (median, 99 %).
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "run.h"

int main(int argc, char** argv) try {
  if (argc != 7) return 2;
  const std::string kind = argv[1];
  const bench::Load load{.octets = std::stoul(argv[2]),
                         .rate = std::stod(argv[3]),
                         .flows = std::stoul(argv[4]),
                         .time = std::chrono::milliseconds(std::stol(argv[5])),
                         .packet_bytes = std::stoul(argv[6]),
                         .calls = kind != "takt",
                         .urgent = kind == "urgent"};
  const bench::Result result = kind == "raw" ? bench::run_raw(load) : bench::run_flows(load);
  std::cout << result.sent << ' ' << result.received << ' ' << result.left_out << ' ' << result.cpu.count()
            << ' ' << result.behind_p50.count() << ' ' << result.behind_p99.count() << ' '
            << result.behind_worst.count() << ' ' << result.jitter_p50.count() << ' '
            << result.jitter_p99.count() << ' ' << result.jitter_worst.count() << ' '
            << result.call_p50.count() << ' ' << result.call_p99.count() << '\n';
} catch (const std::exception& failure) {
  std::cerr << "bench_streams: " << failure.what() << '\n';
  return 1;
}
