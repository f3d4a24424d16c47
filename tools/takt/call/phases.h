// The phases of a call: which one a failure was in, and how long each took.
#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace takt::command {

class Phases {
 public:
  // Runs `work` as a phase. If it throws, present() stays its name.
  template <class Work>
  decltype(auto) run(const char* name, Work work) {
    present_ = name;
    const Timer timer{*this};
    return work();
  }

  // The name of the phase that runs, or of the last one.
  const std::string& present() const { return present_; }
  // One line for each phase, as "connect    0.312 ms".
  void print(std::ostream& out) const;

 private:
  using Clock = std::chrono::steady_clock;
  // Notes the time of a phase at its end, also if it ends by an exception.
  struct Timer {
    Phases& phases;
    Clock::time_point begin = Clock::now();
    ~Timer() { phases.times_.emplace_back(phases.present_, Clock::now() - begin); }
  };

  std::string present_;
  std::vector<std::pair<std::string, Clock::duration>> times_;
};

}  // namespace takt::command
