// Built-in priority mappings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <takt/rt/rtcorba.h>

#include "threads/scheduling/scheduling.h"

namespace takt::rt {

enum class PriorityMapping : std::uint8_t {
  automatic,   // linear until a schedule is installed, then direct
  linear,      // the CORBA range spread evenly over the native one
  direct,      // the same number
  continuous,  // 0 is the lowest native priority, 1 the next
};

// `automatic` makes a linear mapping.
std::shared_ptr<const RTCORBA::PriorityMapping> make_priority_mapping(PriorityMapping choice,
                                                                      const os::NativePriorities& range);

// The priority mapping of an ORB, chosen by -ORBPriorityMapping.
struct ChosenMapping {
  std::string_view name;  // for texts; never dangles
  std::shared_ptr<const RTCORBA::PriorityMapping> mapping;
  // Replaces `mapping` when a schedule is installed, if it has all of its priorities. May be null.
  std::shared_ptr<const RTCORBA::PriorityMapping> for_schedules = nullptr;
};

// The mapping of an ORB with this choice; only `automatic` has one for schedules.
ChosenMapping choose_mapping(PriorityMapping choice, const os::NativePriorities& range);

// A CORBA priority, and a name of its user (an operation or a lane) for texts.
struct PriorityUse {
  RTCORBA::Priority priority = 0;
  std::string_view user;
};

// Two uses of different CORBA priorities that map to the same native priority.
struct SharedNative {
  PriorityUse lower, higher;
  RTCORBA::NativePriority native = 0;
};

// The first such pair, from the lowest priority up. Ignores priorities that the mapping lacks.
std::optional<SharedNative> shared_native(std::span<const PriorityUse> uses,
                                          const RTCORBA::PriorityMapping& mapping);

// "priorities 39 (lane) and 40 (lane) are both native priority 1 by the priority mapping linear".
std::string text_of(const SharedNative& shared, std::string_view mapping);

}  // namespace takt::rt
