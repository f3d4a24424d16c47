#include "machine/connection.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace takt::sim {

void Connection::reset(Time first, Time second) {
  ends[0].reset_at = std::min(ends[0].reset_at.value_or(never), first);
  ends[1].reset_at = std::min(ends[1].reset_at.value_or(never), second);
}

Time Connection::answer_with_reset(unsigned at_end, Time now, Time arrives) {
  End& end = ends[at_end];
  arrives = std::max(arrives, end.in.last_arrival(now).value_or(arrives));
  end.reset_at = std::min(end.reset_at.value_or(never), arrives);
  return *end.reset_at;
}

bool SocketFile::was_reset(Time now) const {
  return connection && connection->ends[end].reset_at && *connection->ends[end].reset_at <= now;
}

void SocketFile::settle(Time now) {
  if (state == State::connecting && answered_at <= now) {
    error = answer;
    state = answer == 0 ? State::connected : State::dead;
  }
  if (state == State::connected && !reset_seen && was_reset(now)) {
    reset_seen = true;
    incoming().lose_after(*own_end().reset_at);
    error = ECONNRESET;
  }
}

int SocketFile::take_error(Time now) {
  settle(now);
  return std::exchange(error, 0);
}

std::uint32_t SocketFile::connected_ready(Time now) {
  if (reset_seen) return EPOLLIN | EPOLLOUT | EPOLLHUP | (error ? EPOLLERR : 0u);
  std::uint32_t events = 0;
  const bool ended = receiving_shut || incoming().at_end(now);
  if (ended || incoming().readable(now) > 0) events |= EPOLLIN;
  if (sending_shut || outgoing().room() > 0) events |= EPOLLOUT;
  if (ended && sending_shut) events |= EPOLLHUP;
  return events;
}

std::uint32_t SocketFile::ready(Time now) {
  settle(now);
  switch (state) {
    case State::connected:
      return connected_ready(now);
    case State::dead:
      return EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP;
    case State::fresh:
    case State::bound:
      return EPOLLOUT | EPOLLHUP;
    case State::connecting:
      return 0;
    case State::listening:
      break;
  }
  if (receiving_shut) return EPOLLIN | EPOLLHUP;
  const auto has_come = [now](const Arrival& arrival) { return arrival.at <= now; };
  return std::ranges::any_of(arrivals, has_come) ? EPOLLIN : 0u;
}

void SocketFile::turn_away(Time now) {
  for (const Arrival& arrival : arrivals)
    arrival.connection->reset(now + arrival.connection->longest_latency, now);
  arrivals.clear();
}

void SocketFile::closed(Time now) {
  if (!connection) return;
  Connection::End& own = own_end();
  own.open = false;
  if (was_reset(now)) return;
  const auto late = own.in.last_arrival(now);
  if (!late && own.in.readable(now) == 0) return;
  connection->answer_with_reset(1 - end, now, late.value_or(now) + connection->longest_latency);
}

std::string SocketFile::describe() const {
  static constexpr const char* names[] = {"fresh", "bound", "connecting", "connected", "listening", "dead"};
  return std::string(names[static_cast<int>(state)]) + " socket " + std::to_string(port) + " -> " +
         std::to_string(peer_port);
}

}  // namespace takt::sim
