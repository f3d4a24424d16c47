// Where references to our objects lead, and what they say of priorities.
#pragma once

#include <optional>
#include <vector>

#include <takt/transport/endpoint.h>

#include "giop/contexts/priorities.h"

namespace takt::reference {

// Of the objects of one adapter. Immutable once objects have references.
struct Publication {
  struct Lane {
    giop::Priority priority = 0;
    std::vector<transport::Endpoint> endpoints;
  };
  std::vector<Lane> lanes;  // none: where the ORB itself listens, or at these
  std::optional<std::vector<transport::Endpoint>> endpoints;
  std::optional<giop::PriorityPolicies> priorities;
};

}  // namespace takt::reference
