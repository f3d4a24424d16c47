// The endpoints and priorities that references to our objects publish.
#pragma once

#include <optional>
#include <vector>

#include <takt/transport/endpoint.h>

#include "giop/contexts/priorities.h"

namespace takt::reference {

// For the objects of one adapter. Immutable once objects have references.
struct Publication {
  struct Lane {
    giop::Priority priority = 0;
    std::vector<transport::Endpoint> endpoints;
  };
  std::vector<Lane> lanes;  // empty: the ORB's endpoints, or those below
  std::optional<std::vector<transport::Endpoint>> endpoints;
  std::optional<giop::PriorityPolicies> priorities;
  bool protocols_chosen = false;  // a policy of the adapter names the protocols; then no others are offered
};

}  // namespace takt::reference
