// How packets are marked, for the networks that carry them and for the queues of this machine's devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::transport {

// -1: not said.
struct Marking {
  static constexpr int highest_dscp = 63, highest_priority = 15;
  int dscp = -1;      // differentiated services code point, 0 to 63
  int priority = -1;  // SO_PRIORITY
  bool any() const { return dscp >= 0 || priority >= 0; }
  friend bool operator==(const Marking&, const Marking&) = default;
};

// Who has marked a stream. A later one of these prevails over an earlier one.
enum class MarkedBy : std::uint8_t {
  orb,               // the options for all streams
  request_priority,  // the priority of the requests that the stream carries
  lane,              // the priority of the server's lane
  request_class,     // the class that requests declare
  policy,            // a protocol policy
};

// The SO_PRIORITY that goes with a code point: 0 for best effort, else 2 below 16, 4 below 32, and 6, which
// needs no privilege. Linux derives another one, from bits that once were the type of service; by it AF41 is
// bulk.
int socket_priority_for(int dscp);

// A marking for each RT-CORBA priority: what is given for one holds from there up to the next for which it is
// given.
struct MarkingByPriority {
  struct Step {
    std::int16_t from;
    Marking marking;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // ascending, each from another priority

  // What `marking` says, from that priority on.
  void give(std::int16_t from, const Marking& marking);

  bool empty() const { return steps.empty(); }
  // Something is given for the priority or one below it.
  bool covers(std::int16_t priority) const { return !empty() && lowest() <= priority; }
  Marking at(std::int16_t priority) const;
  // The lowest priority for which something is given. It is not empty.
  std::int16_t lowest() const { return steps.front().from; }
  // The highest socket priority that is given; -1: none.
  int highest_priority() const;
  // Octets that are equal for those that are equal, and none for one that is empty.
  std::string text() const;
  friend bool operator==(const MarkingByPriority&, const MarkingByPriority&) = default;
};

}  // namespace takt::transport
