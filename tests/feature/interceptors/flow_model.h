// The models of the flow rules on both sides share this (CORBA 3.0.3, 21.3.6 and 21.3.9).
#pragma once

#include <map>
#include <optional>

#include "probes.h"

namespace feature {

const Words thrown_kinds{"system", "forward", "user", "int", "nil forward"};

// An interceptor that throws at a point, once.
struct Throw {
  std::size_t interceptor = 0;
  std::string point;
  std::string kind;
};

// The points of the interceptors, and the client's result.
struct Expected {
  Words trace;
  std::string outcome;
};

class FlowModel {
 protected:
  // `last`: the point of a result, which cannot be forwarded any more.
  FlowModel(std::size_t interceptors, std::optional<Throw> thrown, std::string last)
      : count_(interceptors), thrown_(std::move(thrown)), last_(std::move(last)) {}

  // Runs a point of an interceptor. The outcome of what it throws, if it throws.
  std::optional<std::string> point(std::size_t interceptor, const std::string& name) {
    trace_.push_back(std::string(1, static_cast<char>('A' + interceptor)) + "." + name);
    if (!thrown_ || thrown_->interceptor != interceptor || thrown_->point != name) return std::nullopt;
    const std::string kind = thrown_->kind;
    thrown_.reset();
    if (kind == "system") return "NO_PERMISSION 77";
    const bool may_forward = name != last_;
    if (kind == "forward" && may_forward) return "forward";
    return kind == "nil forward" && may_forward ? "BAD_PARAM 0" : "UNKNOWN 1";
  }

  const std::size_t count_;
  Words trace_;

 private:
  std::optional<Throw> thrown_;
  const std::string last_;
};

using Calling = std::function<void(const EchoRef&)>;
// Calls by name, with their outcomes.
using NamedCalls = std::map<std::string, std::pair<Calling, std::string>>;
inline NamedCalls calls_that_answer() {
  return {
      {"reply", {[](const EchoRef& echo) { EXPECT_EQ(echo->cube(3), 27); }, "ok"}},
      {"user exception", {[](const EchoRef& echo) { echo->refuse("no"); }, "Refused"}},
      {"system exception",
       {[](const EchoRef& echo) { echo->fail_with_system_exception(); }, "NO_RESOURCES 7"}},
  };
}

}  // namespace feature
