// The JSON line that every client prints for a measurement.
#pragma once

#include <string>
#include <string_view>

#include "common/samples.h"

namespace bench {

class Record {
 public:
  Record(std::string_view peer, std::string_view transport, std::string_view workload);

  Record& text(std::string_view key, std::string_view value);
  Record& number(std::string_view key, double value);
  // Sorts the samples and adds the percentiles for which there are enough samples. Divides every figure by
  // `calls_per_sample`, for samples of several calls.
  Record& latency(Samples& samples, double calls_per_sample = 1);
  void print() const;

 private:
  Record& raw(std::string_view key, std::string_view value);

  std::string line_;
};

}  // namespace bench
