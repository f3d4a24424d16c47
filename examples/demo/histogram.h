// Prints sets of latencies side by side.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/samples.h"

namespace demo {

// All must be sorted. The ratio is that of IIOP to raw.
inline void print_percentiles(const bench::Samples& iiop, const bench::Samples& raw,
                              const bench::Samples& local) {
  std::printf("  %-8s %12s %12s %8s %14s   of %zu calls each\n", "", "TCP, us", "raw, us", "ratio",
              "local, us", iiop.size());
  for (auto [name, p] :
       {std::pair{"p50", 50.0}, {"p90", 90.0}, {"p99", 99.0}, {"p99.9", 99.9}, {"max", 100.0}}) {
    if (!iiop.carry(p) || !raw.carry(p) || !local.carry(p)) continue;
    const double a = static_cast<double>(iiop.percentile_ns(p)) / 1000;
    const double b = static_cast<double>(raw.percentile_ns(p)) / 1000;
    const double c = static_cast<double>(local.percentile_ns(p)) / 1000;
    std::printf("  %-8s %12.2f %12.2f %8.3f %14.2f\n", name, a, b, a / b, c);
  }
}

// Buckets grow by a fortieth, from the fastest sample to the larger of the two 99th percentiles.
inline void print_histograms(const bench::Samples& iiop, const bench::Samples& raw) {
  constexpr std::size_t width = 30;
  const double from = static_cast<double>(std::min(iiop.percentile_ns(0), raw.percentile_ns(0)));
  const double to = static_cast<double>(std::max(iiop.percentile_ns(99), raw.percentile_ns(99)));
  std::vector<double> bounds{from * 1.01};
  while (bounds.back() < to && bounds.size() < 24) bounds.push_back(bounds.back() * 1.025);

  const auto counts = [&](const bench::Samples& samples) {
    std::vector<std::size_t> count(bounds.size() + 1);
    std::size_t bucket = 0;
    for (auto ns : samples.ns()) {
      while (bucket < bounds.size() && static_cast<double>(ns) > bounds[bucket]) ++bucket;
      ++count[bucket];
    }
    return count;
  };
  const auto a = counts(iiop), b = counts(raw);
  std::size_t most = 1;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max({most, a[i], b[i]});
  const auto bar = [&](std::size_t count) {
    std::string text((count * width + most / 2) / most, '#');
    if (text.empty() && count != 0) text.push_back('.');
    return text + std::string(width - text.size(), ' ');
  };

  std::printf("\n  %12s  %-*s  %s\n", "up to, us", static_cast<int>(width), "TCP", "raw");
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i < bounds.size())
      std::printf("  %12.1f", bounds[i] / 1000);
    else
      std::printf("  %12s", "slower");
    std::printf("  %s  %s\n", bar(a[i]).c_str(), bar(b[i]).c_str());
  }
}

}  // namespace demo
