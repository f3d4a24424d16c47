#include "call/repeat.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "common/percentile.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

// The values of inout parameters, which each reply replaces.
class InoutValues {
 public:
  explicit InoutValues(CORBA::Request& request) {
    for (const auto& item : request.arguments()->_items())
      if (item->flags() == CORBA::ARG_INOUT) values_.emplace_back(item, item->value());
  }
  void restore() const {
    for (const auto& [item, value] : values_) item->value() = value;
  }

 private:
  std::vector<std::pair<CORBA::object_reference<CORBA::NamedValue>, CORBA::Any>> values_;
};

// Returns whether there was a reply, or none was expected.
bool call_once(CORBA::Request& request, bool oneway, Repeated& repeated) {
  try {
    oneway ? request.send_oneway() : request.invoke();
    return true;
  } catch (const CORBA::UnknownUserException& raised) {
    ++repeated.exceptions[raised.exception().type()->id()];
    return true;
  } catch (const CORBA::SystemException& failure) {
    ++repeated.exceptions[failure._name()];
    ++repeated.failures;
    return false;
  }
}

double rounded(double number, double steps) { return std::round(number * steps) / steps; }

json::Json histogram_of(const std::vector<double>& sorted) {
  json::Json histogram = json::Json::array();
  for (auto from = sorted.begin(); from != sorted.end();) {
    const double limit = std::exp2(std::ceil(std::log2(std::max(*from, 1.0))));
    const auto to = std::upper_bound(from, sorted.end(), limit);
    histogram.push_back({{"up_to_us", limit}, {"calls", to - from}});
    from = to;
  }
  return histogram;
}

}  // namespace

Repeated repeat(CORBA::Request& request, std::uint64_t count, bool oneway) {
  Repeated repeated;
  repeated.us.reserve(std::min(count, most_repeats));
  const InoutValues inouts(request);
  const auto begin = Clock::now();
  auto before = begin;
  for (std::uint64_t failures = 0; repeated.calls < count && failures < most_failures_in_a_row;) {
    if (repeated.calls++ != 0) {
      request._reset();
      inouts.restore();
      before = Clock::now();
    }
    const bool answered = call_once(request, oneway, repeated);
    const auto after = Clock::now();
    failures = answered ? 0 : failures + 1;
    if (answered) repeated.us.push_back(std::chrono::duration<double, std::micro>(after - before).count());
  }
  repeated.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return repeated;
}

json::Json json_of(Repeated repeated) {
  std::vector<double>& us = repeated.us;
  json::Json json = {{"calls", repeated.calls},
                     {"replies", us.size()},
                     {"failures", repeated.failures},
                     {"seconds", rounded(repeated.seconds, 1000)}};
  for (const auto& [name, count] : repeated.exceptions) json["exceptions"][name] = count;
  if (us.empty()) return json;
  std::ranges::sort(us);
  json["calls_per_second"] = std::round(static_cast<double>(us.size()) / std::max(repeated.seconds, 1e-9));
  json["min_us"] = rounded(us.front(), 10);
  json["p50_us"] = rounded(nearest_rank(us, 0.5), 10);
  json["p90_us"] = rounded(nearest_rank(us, 0.9), 10);
  json["p99_us"] = rounded(nearest_rank(us, 0.99), 10);
  json["max_us"] = rounded(us.back(), 10);
  json["histogram"] = histogram_of(us);
  return json;
}

}  // namespace takt::command
