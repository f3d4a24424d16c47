// The service contexts of a request that a server acts on.
#pragma once

#include <cstdint>
#include <optional>

#include <takt/cdr/code_sets.h>

#include "giop/compression/format.h"
#include "giop/contexts/invocation_policies.h"
#include "giop/contexts/priorities.h"
#include "giop/contexts/quality.h"
#include "giop/contexts/service_context.h"

namespace takt::giop {

// For each kind, the first context that can be read, or its raw data. Other contexts are ignored.
class KnownContexts {
 public:
  std::optional<cdr::CodeSets> code_sets;
  std::optional<Priority> rt_priority;
  std::optional<WireQuality> quality;
  std::optional<std::uint16_t> offered_number;    // GIOPlite's number for the request's names
  std::optional<compression::Offer> compression;  // the compression that the client accepts
  ByteView listen_points;        // raw data, from a client that offers its connection for callbacks
  ByteView invocation_policies;  // raw data, because few requests have them

  // The request's priority, from either context; -1: none.
  std::int16_t priority() const {
    return rt_priority.value_or(quality ? quality->priority : std::int16_t{-1});
  }
  // The priority in queues; -1: none.
  std::int16_t queue_priority() const {
    return invocation_policies.empty() ? priority() : stated_queue_priority();
  }
  // Empty if there are none, or they cannot be read.
  std::optional<InvocationPolicies> policies() const { return read_invocation_policies(invocation_policies); }
  // Whether the policies contain times.
  bool has_times() const { return !invocation_policies.empty() && states_times(); }

 private:
  std::int16_t stated_queue_priority() const;
  bool states_times() const;
};

// Walks the contexts once.
KnownContexts known_contexts(const ServiceContexts& contexts);

// The priority of a request whose only context is the priority, the usual case with lanes, bands and
// propagated priorities. If empty, call known_contexts().
std::optional<Priority> sole_priority(const ServiceContexts& contexts);

}  // namespace takt::giop
