// An analysis as JSON.
#pragma once

#include <optional>
#include <string>

#include "scheduling/analysis/sensitivity.h"

namespace takt::command {

// Times in whole nanoseconds, in keys that end with _ns; what is not known is null.
std::string json_of(const scheduling::Repository& repository, const scheduling::Analysis& analysis,
                    const std::optional<scheduling::Sensitivity>& sensitivity);

}  // namespace takt::command
