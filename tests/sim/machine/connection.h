// Both directions of a connection, and the sockets at its ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/pipe.h"
#include "machine/socket.h"

namespace takt::sim {

// Ends are 0, who connected, and 1.
struct Connection {
  struct End {
    Pipe in;                       // what it receives
    bool open = true;              // its socket
    std::optional<Time> reset_at;  // an RST arrives
  };
  std::uint16_t ports[2] = {};
  End ends[2];
  std::uint64_t number = 0;
  Time shortest_latency{0}, longest_latency{0};

  // An end's peer answers with a reset, which does not overtake what it has sent before.
  Time answer_with_reset(unsigned at_end, Time now, Time arrives);
  // Both ends learn of it, each at its time.
  void reset(Time first, Time second);
};

// A stream socket: fresh, then connecting and connected, or listening.
class SocketFile final : public Socket {
 public:
  enum class State : std::uint8_t { fresh, bound, connecting, connected, listening, dead };

  std::uint32_t ready(Time now) override;
  void closed(Time now) override;
  std::string describe() const override;
  // Those who have come to a listening socket learn that nobody will take them.
  void turn_away(Time now);

  // Connected, once the time has come; what connecting ended with.
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
  // While listening: who has come, or will have.
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
