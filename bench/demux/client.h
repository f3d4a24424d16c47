// The client of either peer: makes calls in one of the orders, through references that the server has written
// to a file.
//
//   Connect:  makes a Session from a stringified reference
//   Session:  call(operation)
#pragma once

#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/options.h"
#include "common/record.h"
#include "common/references.h"
#include "common/workload.h"
#include "demux/workload.h"

namespace bench {

// Makes the references in the order of the calls, starting with the first, so that they are adjacent in the
// client's memory: only the server's path is random. Each call is made once before the measurement.
template <class Connect>
void measure_order(const Connect& connect, const std::vector<std::string>& references,
                   const std::string& order, std::size_t operations, const Options& options) {
  const auto limit = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(options.number("seconds", 0.25)));
  const auto length = static_cast<std::size_t>(options.number("calls", 100000));
  const auto calls = make_calls(order, references.size(), operations, length);
  using Session = decltype(connect(references.front()));
  std::vector<Session> sessions;
  std::vector<std::uint32_t> session_of(calls.size());
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  std::size_t prepared = 0;

  const auto prepare = [&](std::size_t i) {
    const auto [at, fresh] = known.try_emplace(calls[i].object, static_cast<std::uint32_t>(sessions.size()));
    if (fresh) sessions.push_back(connect(references[calls[i].object]));
    session_of[i] = at->second;
  };
  for (const auto end = Clock::now() + limit; prepared < length && (prepared == 0 || Clock::now() < end);) {
    prepare(prepared);
    sessions[session_of[prepared]].call(calls[prepared].operation);
    ++prepared;
  }
  Samples samples(prepared);
  auto last = Clock::now();
  for (std::size_t i = 0; i < prepared; ++i) {
    sessions[session_of[i]].call(calls[i].operation);
    const auto now = Clock::now();
    samples.add(now - last);
    last = now;
  }
  Record(options.text("peer", "peer"), options.text("transport", "tcp"), order)
      .latency(samples)
      .number("objects_called", static_cast<double>(sessions.size()))
      .print();
}

template <class Connect>
void drive_orders(const Connect& connect, std::size_t operations, const Options& options) {
  const auto references = read_references(options.text("endpoint"));
  std::istringstream orders(options.text("orders", "random"));
  for (std::string order; std::getline(orders, order, ',');)
    measure_order(connect, references, order, operations, options);
}

}  // namespace bench
