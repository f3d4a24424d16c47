#include "common/record.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace bench {

Record::Record(std::string_view peer, std::string_view transport, std::string_view workload) {
  text("peer", peer).text("transport", transport).text("workload", workload);
}

Record& Record::text(std::string_view key, std::string_view value) {
  return raw(key, '"' + std::string(value) + '"');
}

Record& Record::number(std::string_view key, double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.15g", std::round(value * 10) / 10);
  return raw(key, digits);
}

Record& Record::latency(Samples& samples, double calls_per_sample) {
  samples.sort();
  number("n", static_cast<double>(samples.size()));
  number("mean_ns", samples.mean_ns() / calls_per_sample);
  number("stddev_ns", samples.stddev_ns() / calls_per_sample);
  for (auto [key, p] :
       {std::pair{"p50_ns", 50.0}, {"p90_ns", 90.0}, {"p99_ns", 99.0}, {"p999_ns", 99.9}, {"max_ns", 100.0}})
    if (samples.carry(p)) number(key, static_cast<double>(samples.percentile_ns(p)) / calls_per_sample);
  return *this;
}

void Record::print() const {
  std::printf("{%s}\n", line_.c_str());
  std::fflush(stdout);
}

Record& Record::raw(std::string_view key, std::string_view value) {
  if (!line_.empty()) line_ += ", ";
  line_.append("\"").append(key).append("\": ").append(value);
  return *this;
}

}  // namespace bench
