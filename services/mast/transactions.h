// Transactions of a model: events, and the activities between them.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "mast/operations.h"

namespace takt::scheduling::mast {

inline constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// When an external event arrives.
struct Arrival {
  Time period{0}, jitter{0}, phase{0};
  std::int32_t burst = 1;  // arrivals in each period, which may come together
};
// A deadline of an internal event, counted from an external one.
struct HardDeadline {
  Time deadline{0};
  std::string from;
  Place at;
};
struct Event {
  std::string name;
  Place at;
  std::optional<Arrival> arrival = {};  // only external events have one
  std::vector<HardDeadline> deadlines = {};
  std::size_t producer = none, consumer = none;  // handlers
};
struct Handler {
  bool multicast = false, timed = false;
  Place at;
  std::size_t input = none;
  std::vector<std::size_t> outputs = {};  // one, except of a multicast
  std::string operation = {};             // empty: a multicast
  std::size_t server = none;
};
struct Transaction {
  std::string name;
  Place at;
  Names<Event> events{"event"};
  std::vector<Handler> handlers;
};

Transaction read_transaction(const Element& element, Platform& platform, Operations& operations,
                             Reading& reading);

}  // namespace takt::scheduling::mast
