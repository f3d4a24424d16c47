#include "rt/measuring/execution_times.h"

#include <algorithm>
#include <utility>

#include "rt/measuring/scoped_name.h"

namespace takt::rt {
thread_local ExecutionTimes::Run* ExecutionTimes::innermost_ = nullptr;

ExecutionTimes::Run::Run(ExecutionTimes& times, std::string_view interface, std::string_view operation)
    : times_(times),
      interface_(interface),
      operation_(operation),
      outer_(std::exchange(innermost_, this)),
      begin_(times.clock_()) {}

ExecutionTimes::Run::~Run() {
  const Time end = times_.clock_();
  innermost_ = outer_;
  try {
    times_.add(interface_, operation_, end - begin_ - inner_);
  } catch (...) {  // out of memory
    times_.left_out_.fetch_add(1, std::memory_order_relaxed);
  }
  if (outer_) outer_->inner_ += times_.clock_() - begin_;
}

void ExecutionTimes::add(std::string_view interface, std::string_view operation, Time time) {
  const std::lock_guard lock(mutex_);
  const auto found = histograms_.find(ByName::View(interface, operation));
  if (found != histograms_.end()) return found->second.add(time);
  if (histograms_.size() < most_operations && is_identifier(operation) && !scoped_name(interface).empty())
    return histograms_[Name{std::string(interface), std::string(operation)}].add(time);
  left_out_.fetch_add(1, std::memory_order_relaxed);
}

[[gnu::cold]] std::vector<ExecutionTimes::Figures> ExecutionTimes::figures() const {
  std::vector<Figures> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, histogram] : histograms_) {
    const std::int64_t runs = histogram.count();
    all.push_back({scoped_name(key.interface) + "::" + key.operation, runs, histogram.at(runs / 2),
                   histogram.at(runs * 99 / 100), histogram.longest()});
  }
  std::ranges::sort(all, {}, &Figures::operation);
  return all;
}

}  // namespace takt::rt
