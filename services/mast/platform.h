// Processors, networks, schedulers and servers of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mast/fields.h"
#include "mast/names.h"
#include "mast/numbers.h"

namespace takt::scheduling::mast {

// An interrupt of the system's clock. A ticker has a period; an alarm clock interrupts for each timed
// activity.
struct Timer {
  Time overhead{0};
  std::optional<Time> period;
};

// A processor or a network.
struct Resource {
  std::string name;
  Place at;
  std::string scheduler = {};  // empty: none yet
  Decimal speed = one;
  Time context_switch{0}, interrupt_switch{0};
  Time blocking{0};  // how long a packet in transit delays a message
  std::optional<Decimal> throughput = {};
  std::optional<Timer> timer = {};
  // The range for servers that are not interrupts.
  std::optional<std::int64_t> least_priority = {}, greatest_priority = {};
  bool lane = false;             // servers run one at a time, except for interrupts
  std::int32_t most_urgent = 0;  // the greatest priority of all servers
};

struct SchedulerName {
  std::string name;
  Place at;
  std::size_t resource = 0;
};

struct Server {
  std::string name;
  Place at;
  std::size_t resource = 0;
  std::int32_t priority = 0;
  bool interrupt = false, preemptible = true;
};

// The time unit of a model, and what was read without effect.
struct Reading {
  Time unit;
  Unused unused;
};

struct Platform {
  Names<Resource> resources{"Processing_Resource"};
  Names<SchedulerName> schedulers{"Scheduler"};
  Names<Server> servers{"Scheduling_Server"};
};

// `elements` is the whole model; those of other kinds are left out.
Platform read_platform(std::span<const Element> elements, Reading& reading);

// "Kind 'Name'", or the kind alone if the element has no name yet.
std::string owner_of(const Element& element);

}  // namespace takt::scheduling::mast
