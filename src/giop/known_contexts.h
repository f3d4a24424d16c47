// What a server acts on of a request's service contexts.
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

// The first of each kind that can be read, or of those that are as they came; others are passed over.
class KnownContexts {
 public:
  std::optional<cdr::CodeSets> code_sets;
  std::optional<Priority> rt_priority;
  std::optional<WireQuality> quality;
  std::optional<std::uint16_t> offered_number;    // of GIOPlite, for the request's names
  std::optional<compression::Offer> compression;  // what the client takes of it
  ByteView listen_points;        // as they came, of a client that offers its connection for call-backs
  ByteView invocation_policies;  // likewise: few requests have them

  // What the request says of its priority, wherever; -1: nothing.
  std::int16_t priority() const {
    return rt_priority.value_or(quality ? quality->priority : std::int16_t{-1});
  }
  // What queues order it by; -1: nothing.
  std::int16_t queue_priority() const {
    return invocation_policies.empty() ? priority() : stated_queue_priority();
  }
  // Nothing: there are none, or they cannot be read.
  std::optional<InvocationPolicies> policies() const { return read_invocation_policies(invocation_policies); }
  // They have some.
  bool has_times() const { return !invocation_policies.empty() && states_times(); }

 private:
  std::int16_t stated_queue_priority() const;
  bool states_times() const;
};

// In one walk through the contexts.
KnownContexts known_contexts(const ServiceContexts& contexts);

// The priority of a request whose only context that is, as in most with lanes, bands and propagated
// priorities. Nothing: known_contexts() finds out.
std::optional<Priority> sole_priority(const ServiceContexts& contexts);

}  // namespace takt::giop
