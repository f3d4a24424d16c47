// The priority mappings that an ORB can be told to use.
#pragma once

#include <memory>
#include <string_view>

#include <takt/rt/rtcorba.h>

#include "os/threads/scheduling.h"

namespace takt::rt {

// linear: the whole CORBA range spread evenly over the native one. direct: the same number. continuous: 0 is
// the lowest native priority, 1 the next. Null: no such name.
std::shared_ptr<const RTCORBA::PriorityMapping> make_priority_mapping(std::string_view name,
                                                                      const os::NativePriorities& range);

}  // namespace takt::rt
