// Interceptors of the simulated ORBs.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <takt/interceptors/interceptors.h>

#include "machine/random.h"
#include "scenario/plan.h"

namespace takt::sim {

// Waits, adds contexts or throws at the points of interceptors, as the seed says. Checks that each flow ends
// exactly once for each interceptor that has begun, in the reverse order. One thread runs at a time, so
// nothing here is locked.
class Points {
 public:
  enum class Kind : std::uint8_t { starting, intermediate, reply, exception, other };
  using Call = PortableInterceptor::ClientRequestInfo;
  using Request = PortableInterceptor::ServerRequestInfo;

  // ORBs that are made during its lifetime have the interceptors. There is one at a time.
  Points(const Plan& plan, std::uint64_t seed);
  ~Points();
  Points(const Points&) = delete;
  Points& operator=(const Points&) = delete;

  // The points of the present run, if that has interceptors; else null.
  static Points* present();
  // Call before the first run with interceptors.
  static void register_initializer();
  unsigned count() const { return plan_.interceptors; }
  // A point of the interceptor with that number, which may throw.
  void at(Kind kind, unsigned interceptor, Call& call);
  void at(Kind kind, unsigned interceptor, Request& request);
  // Call when the ORBs have ended.
  void check() const;

 private:
  void note(Kind kind, unsigned interceptor, const void* flow);
  void raise_perhaps(Kind kind);
  const Plan& plan_;
  Random random_;
  std::map<const void*, std::vector<unsigned>> begun_;  // the flow stack of each call and request
};

}  // namespace takt::sim
