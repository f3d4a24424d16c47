#include "adapter/measuring/execution_times.h"

#include <algorithm>
#include <utility>

#include "adapter/repository_path.h"

namespace takt::adapter {
namespace {

// Operation names come from clients; IDL identifiers have no other characters.
bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && text.size() <= 256 && std::ranges::all_of(text, fits);
}

// Turns "IDL:omg.org/CosNaming/NamingContext:1.0" into CosNaming::NamingContext; empty for malformed ids.
std::string scoped_name(std::string_view id) {
  std::string name;
  for (std::string_view path = path_of(id); !path.empty();) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (is_name(part))
      name.append(name.empty() ? "" : "::").append(part);
    else if (!name.empty())
      return {};
  }
  return name;
}

}  // namespace

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
  if (histograms_.size() < most_operations && is_name(operation) && !scoped_name(interface).empty())
    return histograms_[Name{std::string(interface), std::string(operation)}].add(time);
  left_out_.fetch_add(1, std::memory_order_relaxed);
}

std::vector<ExecutionTimes::Figures> ExecutionTimes::figures() const {
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

}  // namespace takt::adapter
