// An analysis as text.
#pragma once

#include <string>
#include <vector>

#include "schedulability/analysis/analysis.h"
#include "schedulability/analysis/sensitivity.h"

namespace takt::scheduling {

// A name for a thread: its entry's name, and the name of the thread that releases it, if any.
std::string name_of(const Repository& repository, const Analysis& analysis, std::size_t thread);

// The parts of the response time of a thread's slowest job, largest first: the threads that interfere, then
// the thread itself.
struct Taken {
  std::string by;
  Time time{0};
};
std::vector<Taken> time_taken(const Repository& repository, const Analysis& analysis, std::size_t thread);

// The thread that holds the lock or lane longest.
std::size_t longest_holder(const Analysis& analysis, const Shared& shared);
// The part of a processor that the threads of a reservation use.
double utilisation_in_reservation(const Analysis& analysis, std::size_t reservation);

// A chain's bounds and limits, as "chain 'brake': its data are up to 58 ms old (limit 50 ms: unproven); a
// reaction takes up to 71 ms".
std::string describe(const Repository& repository, const Analysis& analysis, std::size_t chain);

// The verdict, processors, threads by priority, and for each miss its excess and the threads that cause it.
std::string report(const Repository& repository, const Analysis& analysis);
std::string report(const Repository& repository, const Sensitivity& sensitivity);

}  // namespace takt::scheduling
