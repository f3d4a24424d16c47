// Real-time CORBA on the wire: priorities of requests and of endpoints (RT-CORBA 1.0, 4.7 and 4.11).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "giop/contexts/service_context.h"
#include "giop/references/profile.h"

namespace takt::giop {

// From 0 to 32767.
using Priority = std::int16_t;

// Data of service context 10. Reading returns nothing for data that is malformed or out of range.
inline constexpr std::size_t priority_context_bytes = 4;
std::array<std::uint8_t, priority_context_bytes> write_priority_context(Priority priority);
std::optional<Priority> read_priority_context(ByteView data);

struct PriorityBand {
  Priority low = 0;
  Priority high = 0;
  friend bool operator==(const PriorityBand&, const PriorityBand&) = default;
};
inline constexpr PriorityBand all_priorities{0, 32767};

// A server's priority policies, in component 2, TAG_POLICIES.
struct PriorityPolicies {
  enum class Model : std::uint8_t { client_propagated = 0, server_declared = 1 };
  Model model = Model::client_propagated;
  Priority server_priority = 0;
  std::vector<PriorityBand> bands;  // empty: no PriorityBandedConnectionPolicy
  friend bool operator==(const PriorityPolicies&, const PriorityPolicies&) = default;
};
TaggedComponent make_policies_component(const PriorityPolicies& policies);
// Empty if the component has no priority model. Policies of other types are ignored.
std::optional<PriorityPolicies> read_policies_component(const TaggedComponent& component);

// An address that serves requests of one priority: one lane of a thread pool. The component is TAO's, so that
// the clients of both ORBs can choose among each other's lanes.
struct PriorityEndpoint {
  HostPort address;
  Priority priority = 0;
  friend bool operator==(const PriorityEndpoint&, const PriorityEndpoint&) = default;
};
inline constexpr std::uint32_t priority_endpoints_component = 0x54414f02;
TaggedComponent make_priority_endpoints_component(const std::vector<PriorityEndpoint>& endpoints,
                                                  bool have_ports = true);
std::vector<PriorityEndpoint> read_priority_endpoints(const TaggedComponent& component,
                                                      bool have_ports = true);

}  // namespace takt::giop
