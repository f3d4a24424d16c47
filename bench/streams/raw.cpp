#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <thread>

#include "run.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_datagram = 65'536, head_bytes = 16;

struct Flow {
  int to = -1, from = -1;
  std::atomic<std::uint64_t> sent{0}, octets{0}, left_out{0};
  takt::streams::Spread behind;
  Jitter jitter;  // counts only frames whose packets have all arrived
};

int require(int result) {
  if (result < 0) std::abort();
  return result;
}

std::unique_ptr<Flow> connected_flow() {
  auto flow = std::make_unique<Flow>();
  flow->from = require(socket(AF_INET, SOCK_DGRAM, 0));
  flow->to = require(socket(AF_INET, SOCK_DGRAM, 0));
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  require(bind(flow->from, reinterpret_cast<sockaddr*>(&where), size));
  require(getsockname(flow->from, reinterpret_cast<sockaddr*>(&where), &size));
  require(connect(flow->to, reinterpret_cast<sockaddr*>(&where), size));
  const timeval wait{0, 200'000};
  require(setsockopt(flow->from, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait));
  return flow;
}

// Each packet has a head as long as Takt's.
void send_frame(const Flow& flow, std::vector<std::uint8_t>& packet, const std::vector<std::uint8_t>& frame,
                std::size_t payload) {
  for (std::size_t done = 0; done < frame.size();) {
    const std::size_t count = std::min(payload, frame.size() - done);
    std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(done), count, packet.begin() + head_bytes);
    if (send(flow.to, packet.data(), head_bytes + count, MSG_DONTWAIT) < 0) return;
    done += count;
  }
}

void send_frames(Flow& flow, const Load& load) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  const std::vector<std::uint8_t> frame(load.octets, 7);
  std::vector<std::uint8_t> packet(load.packet_bytes);
  const std::chrono::nanoseconds period(static_cast<std::int64_t>(1e9 / load.rate));
  const auto begun = Clock::now();
  for (auto due = begun; due < begun + load.time; due += period) {
    const auto since = due.time_since_epoch();
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(since);
    const timespec at{whole.count(), (since - whole).count()};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
    const auto behind = Clock::now() - due;
    flow.behind.add(behind);
    if (behind >= period) {
      flow.left_out += static_cast<std::uint64_t>(behind / period);
      due += behind / period * period;
    }
    send_frame(flow, packet, frame, load.packet_bytes - head_bytes);
    ++flow.sent;
  }
}

void receive_frames(Flow& flow, const Load& load, const std::atomic<bool>& ended) {
  std::vector<std::uint8_t> packet(longest_datagram), frame;
  while (true) {
    const auto size = recv(flow.from, packet.data(), packet.size(), 0);
    if (size < 0) {
      if (ended) return;
      continue;
    }
    frame.assign(packet.begin() + head_bytes, packet.begin() + size);
    flow.octets += static_cast<std::uint64_t>(size) - head_bytes;
    if (flow.octets % load.octets == 0)
      flow.jitter.note(std::chrono::nanoseconds(
          static_cast<std::int64_t>(1e9 * static_cast<double>(flow.octets / load.octets) / load.rate)));
  }
}

}  // namespace

std::chrono::nanoseconds cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

Result run_raw(const Load& load) {
  std::vector<std::unique_ptr<Flow>> flows;
  for (std::size_t i = 0; i < load.flows; ++i) flows.push_back(connected_flow());
  std::atomic<bool> ended{false};
  std::vector<std::jthread> receivers, senders;
  const auto before = cpu_time();
  for (const auto& flow : flows) receivers.emplace_back([&] { receive_frames(*flow, load, ended); });
  for (const auto& flow : flows) senders.emplace_back([&flow, &load] { send_frames(*flow, load); });
  for (auto& each : senders) each.join();
  ended = true;
  for (auto& each : receivers) each.join();
  Result result;
  result.cpu = cpu_time() - before;
  for (const auto& flow : flows) {
    result.sent += flow->sent;
    result.left_out += flow->left_out;
    result.received += flow->octets / load.octets;
    flow->jitter.report(result);
    if (flow->behind.at(0.99) < result.behind_p99) continue;
    result.behind_p50 = flow->behind.at(0.5);
    result.behind_p99 = flow->behind.at(0.99);
    result.behind_worst = flow->behind.worst();
  }
  for (const auto& flow : flows) {
    close(flow->to);
    close(flow->from);
  }
  return result;
}

}  // namespace bench
