// An analysis in words.
#pragma once

#include <string>
#include <vector>

#include "scheduling/analysis/analysis.h"
#include "scheduling/analysis/sensitivity.h"

namespace takt::scheduling {

// The name of a thread: its entry's, and where another releases it, whose.
std::string name_of(const Repository& repository, const Analysis& analysis, std::size_t thread);

// What a thread's time until its slowest job is done goes to, the most first: others by name, then itself.
struct Taken {
  std::string by;
  Time time{0};
};
std::vector<Taken> time_taken(const Repository& repository, const Analysis& analysis, std::size_t thread);

// The verdict, then processors, threads by priority, and for each miss by how much and because of whom.
std::string report(const Repository& repository, const Analysis& analysis);
std::string report(const Repository& repository, const Sensitivity& sensitivity);

}  // namespace takt::scheduling
