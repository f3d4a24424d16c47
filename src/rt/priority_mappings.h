// The priority mappings that an ORB can be told to use.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/rt/rtcorba.h>

#include "os/threads/scheduling.h"

namespace takt::rt {

enum class PriorityMapping : std::uint8_t {
  linear,      // the whole CORBA range spread evenly over the native one
  direct,      // the same number
  continuous,  // 0 is the lowest native priority, 1 the next
};

std::shared_ptr<const RTCORBA::PriorityMapping> make_priority_mapping(PriorityMapping mapping,
                                                                      const os::NativePriorities& range);

}  // namespace takt::rt
