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
    begin(name);
    const Ending ending{*this};
    return work();
  }
  // Called by the work of run(): another phase begins, which ends with the work. No effect if it is the
  // present one.
  void change(const char* name) {
    if (present_ == name) return;
    end();
    begin(name);
  }

  // The name of the phase that runs, or of the last one.
  const std::string& present() const { return present_; }
  // One line for each phase, as "connect    0.312 ms".
  void print(std::ostream& out) const;

 private:
  using Clock = std::chrono::steady_clock;
  // Notes the time of a phase at its end, also if it ends by an exception.
  struct Ending {
    Phases& phases;
    ~Ending() { phases.end(); }
  };

  void begin(const char* name) {
    present_ = name;
    since_ = Clock::now();
  }
  void end() { times_.emplace_back(present_, Clock::now() - since_); }

  std::string present_;
  Clock::time_point since_;
  std::vector<std::pair<std::string, Clock::duration>> times_;
};

}  // namespace takt::command
