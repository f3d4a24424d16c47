#include "common/samples.h"

#include <algorithm>
#include <cmath>

namespace bench {

Samples::Samples(std::size_t capacity) {
  ns_.resize(capacity);
  ns_.clear();
}

void Samples::append(const Samples& other) { ns_.insert(ns_.end(), other.ns_.begin(), other.ns_.end()); }

double Samples::mean_ns() const {
  double sum = 0;
  for (auto ns : ns_) sum += static_cast<double>(ns);
  return ns_.empty() ? 0 : sum / static_cast<double>(ns_.size());
}

double Samples::stddev_ns() const {
  const double centre = mean_ns();
  double sum = 0;
  for (auto ns : ns_) sum += (static_cast<double>(ns) - centre) * (static_cast<double>(ns) - centre);
  return ns_.empty() ? 0 : std::sqrt(sum / static_cast<double>(ns_.size()));
}

void Samples::sort() { std::sort(ns_.begin(), ns_.end()); }

bool Samples::carry(double p) const {
  return p >= 100 || static_cast<double>(size()) * (100 - p) >= 1000 - 1e-6;
}

std::int64_t Samples::percentile_ns(double p) const {
  if (ns_.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(ns_.size())));
  return ns_[std::clamp<std::size_t>(rank, 1, ns_.size()) - 1];
}

}  // namespace bench
