#include "watcher.h"

#include <thread>

namespace takt::fuzz::live {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

std::string mebibytes(std::size_t octets) { return std::to_string(octets >> 20) + " MiB"; }

}  // namespace

std::size_t Watcher::growth() const {
  const std::size_t now = process_.resident_bytes();
  return now > at_first_ ? now - at_first_ : 0;
}

std::optional<Complaint> Watcher::death() {
  if (process_.alive()) return std::nullopt;
  return Complaint{"death", "it " + process_.end() + "\n" + process_.last_words()};
}

std::optional<Complaint> Watcher::growth_during(std::size_t held) {
  const std::size_t most = most_during + 24 * held;
  if (growth() <= most) return std::nullopt;
  // On a busy machine the target may not have noticed yet that other connections are closed.
  if (auto complaint = unrest(held)) return complaint;
  const std::size_t more = growth();
  if (more <= most) return std::nullopt;
  return Complaint{"growth", "it has taken " + mebibytes(more) + " for " + std::to_string(held) +
                                 " octets on connections that are open"};
}

std::optional<Complaint> Watcher::growth_after() {
  std::size_t more = growth();
  for (OwnTime time(process_); time.passed() < 6s && more > most_after && process_.alive();) {
    std::this_thread::sleep_for(50ms);
    more = growth();
  }
  if (more <= most_after) return std::nullopt;
  return Complaint{
      "growth", "it holds " + mebibytes(more) + " more than at first, 6 s after all connections were closed"};
}

std::optional<Complaint> Watcher::unrest(std::size_t octets) {
  constexpr nanoseconds least = 1500ms;
  const nanoseconds most = least + 40us * static_cast<long>(octets / 10);
  const nanoseconds begin = process_.processor_time();
  for (nanoseconds before = begin; process_.alive();) {
    std::this_thread::sleep_for(15ms);
    const nanoseconds now = process_.processor_time();
    if (now - before < 1ms && !process_.runs()) return std::nullopt;
    before = now;
    if (now - begin > most)
      return Complaint{"busy", "it has used " + std::to_string((now - begin) / 1ms) +
                                   " ms of processor time since it was sent " + std::to_string(octets) +
                                   " octets, and goes on"};
  }
  return death();
}

}  // namespace takt::fuzz::live
