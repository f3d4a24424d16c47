#include "machine/pipe.h"

#include <algorithm>

namespace takt::sim {

std::size_t Pipe::room() const {
  const std::size_t used = on_the_way_bytes_ + arrived_.size();
  return used < capacity_ ? capacity_ - used : 0;
}

std::optional<Time> Pipe::send(std::span<const std::uint8_t> octets, Time now, Time latency) {
  std::size_t count = octets.size();
  const bool cut_here = !silent_ && accepted_ + count > cut_at_;
  accepted_ += count;
  on_the_way_bytes_ += count;
  if (silent_) return never;  // data is never read, so that the buffer fills up
  if (cut_here) {
    count -= static_cast<std::size_t>(accepted_ - cut_at_);
    silent_ = true;
  }
  last_ = std::max(last_, now + latency);
  if (count > 0)
    on_the_way_.push_back({last_, {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(count)}});
  if (cut_here && cut_ == Cut::reset) return std::nullopt;
  return last_;
}

Time Pipe::end(Time now, Time latency) {
  if (silent_) return never;
  if (!end_) end_ = last_ = std::max(last_, now + latency);
  return *end_;
}

void Pipe::lose_after(Time then) {
  settle(then);
  on_the_way_.clear();
  silent_ = true;
}

void Pipe::settle(Time now) {
  while (!on_the_way_.empty() && on_the_way_.front().arrives <= now) {
    auto& octets = on_the_way_.front().octets;
    arrived_.insert(arrived_.end(), octets.begin(), octets.end());
    on_the_way_bytes_ -= octets.size();
    on_the_way_.pop_front();
  }
}

std::size_t Pipe::readable(Time now) {
  settle(now);
  return arrived_.size();
}

std::size_t Pipe::read(std::span<std::uint8_t> into, Time now) {
  settle(now);
  const std::size_t count = std::min(into.size(), arrived_.size());
  const auto end = arrived_.begin() + static_cast<std::ptrdiff_t>(count);
  std::copy(arrived_.begin(), end, into.begin());
  arrived_.erase(arrived_.begin(), end);
  return count;
}

std::optional<Time> Pipe::last_arrival(Time now) {
  settle(now);
  if (on_the_way_.empty()) return std::nullopt;
  return on_the_way_.back().arrives;
}

bool Pipe::at_end(Time now) {
  settle(now);
  return end_ && *end_ <= now && on_the_way_.empty() && arrived_.empty();
}

}  // namespace takt::sim
