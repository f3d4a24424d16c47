// Options of which each item is for the lanes of one priority.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "os/threads/processors.h"

namespace takt::orb {

// PRIORITY=VALUE. BAD_PARAM, naming `option`, for other forms; several of one priority are a list.
std::map<std::int16_t, std::vector<std::string>> by_priority(const std::vector<std::string>& texts,
                                                             std::string_view option, std::string_view value);

// LaneCpus. BAD_PARAM as well for processors that the calling thread may not run on.
std::map<std::int16_t, os::Processors> lane_processors(const std::vector<std::string>& texts);

}  // namespace takt::orb
