// Both directions of a connection and the sockets at its ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/pipe.h"
#include "machine/socket.h"

namespace takt::sim {

// End 0 is the connecting end, end 1 the accepting one.
struct Connection {
  struct End {
    Pipe in;                       // data that the end receives
    bool open = true;              // the end's socket
    std::optional<Time> reset_at;  // an RST arrives
  };
  std::uint16_t ports[2] = {};
  End ends[2];
  std::uint64_t number = 0;
  Time shortest_latency{0}, longest_latency{0};

  // The peer of the end answers with a reset, which arrives after the data it sent before.
  Time answer_with_reset(unsigned at_end, Time now, Time arrives);
  // Resets both ends, each at its time.
  void reset(Time first, Time second);
};

// A stream socket: new, then connecting and connected, or listening.
class SocketFile final : public Socket {
 public:
  enum class State : std::uint8_t { fresh, bound, connecting, connected, listening, dead };

  std::uint32_t ready(Time now) override;
  void closed(Time now) override;
  std::string describe() const override;
  // Resets connections that wait at a listening socket and will not be accepted.
  void turn_away(Time now);

  // Completes a pending connect when its time has come, and sets its result.
  void settle(Time now);
  bool was_reset(Time now) const;
  int take_error(Time now) override;
  bool connected() const override { return state == State::connected; }

  State state = State::fresh;
  std::shared_ptr<Connection> connection;
  unsigned end = 0;
  // While connecting:
  Time answered_at = never;
  int answer = 0;
  int error = 0;
  bool reset_seen = false;
  // While listening: a connection that has arrived or will arrive.
  struct Arrival {
    Time at;
    std::shared_ptr<Connection> connection;
  };
  std::vector<Arrival> arrivals;
  std::size_t backlog = 0;

  Pipe& incoming() { return connection->ends[end].in; }
  Pipe& outgoing() { return connection->ends[1 - end].in; }
  Connection::End& own_end() { return connection->ends[end]; }
  Connection::End& other_end() { return connection->ends[1 - end]; }

 private:
  std::uint32_t connected_ready(Time now);
};

}  // namespace takt::sim
