// Marking of packets, for the networks that carry them and for the device queues of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::transport {

// -1 means not set.
struct Marking {
  static constexpr int highest_dscp = 63, highest_priority = 15;
  int dscp = -1;      // differentiated services code point, 0 to 63
  int priority = -1;  // SO_PRIORITY
  bool any() const { return dscp >= 0 || priority >= 0; }
  friend bool operator==(const Marking&, const Marking&) = default;
};

// The origin of a stream's marking. A later enumerator prevails over an earlier one.
enum class MarkedBy : std::uint8_t {
  orb,               // the options for all streams
  request_priority,  // the priority of the requests that the stream carries
  lane,              // the priority of the server's lane
  request_class,     // the class that requests declare
  policy,            // a protocol policy
};

// The SO_PRIORITY that matches a code point: 0 for best effort, 2 below 16, 4 below 32, else 6, which needs
// no privilege. Linux itself derives the priority from the old type-of-service bits, which makes AF41 bulk
// traffic.
int socket_priority_for(int dscp);

// Markings by RT-CORBA priority. Each value of a step applies from its priority up to the next step that sets
// the value.
struct MarkingByPriority {
  struct Step {
    std::int16_t from;
    Marking marking;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // ascending; no two steps have the same priority

  // Merges `marking` into the step that begins at `from`.
  void give(std::int16_t from, const Marking& marking);

  bool empty() const { return steps.empty(); }
  // Whether a step begins at this priority or below it.
  bool covers(std::int16_t priority) const { return !empty() && lowest() <= priority; }
  Marking at(std::int16_t priority) const;
  // The lowest priority with a step. Precondition: not empty.
  std::int16_t lowest() const { return steps.front().from; }
  // The highest SO_PRIORITY of any step; -1 if none sets it.
  int highest_priority() const;
  // A key: equal for equal values, empty for an empty one.
  std::string text() const;
  friend bool operator==(const MarkingByPriority&, const MarkingByPriority&) = default;
};

}  // namespace takt::transport
