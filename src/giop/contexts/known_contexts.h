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

// The first of each kind that can be read; others are passed over.
struct KnownContexts {
  std::optional<cdr::CodeSets> code_sets;
  std::optional<Priority> rt_priority;
  std::optional<WireQuality> quality;
  std::optional<InvocationPolicies> policies;
  std::optional<std::uint16_t> offered_number;    // of GIOPlite, for the request's names
  std::optional<compression::Offer> compression;  // what the client takes of it
  ByteView listen_points;  // as they came, of a client that offers its connection for call-backs

  // What the request says of its priority, wherever; -1: nothing.
  std::int16_t priority() const {
    return rt_priority.value_or(quality ? quality->priority : std::int16_t{-1});
  }
  // What queues order it by; -1: nothing.
  std::int16_t queue_priority() const {
    return policies && policies->request_priority ? policies->request_priority->max : priority();
  }
};

// In one walk through the contexts.
KnownContexts known_contexts(const ServiceContexts& contexts);

}  // namespace takt::giop
