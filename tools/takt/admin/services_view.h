// Services of Takt as takt top shows them: devices of streams, traders, implementation repositories,
// real-time event channels, naming services.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "admin/lines.h"
#include "common/output.h"
#include "ior/calls.h"

namespace takt::command {

// One service, which is asked again and again. Not thread-safe.
class ViewedService {
 public:
  virtual ~ViewedService() = default;
  virtual const std::string& target() const = 0;  // as given
  // Throws system exceptions.
  virtual void look() = 0;
  // After a look. Counts are those since the look before, or since the service's start. The table ends where
  // `most_lines` have no room; 0: no limit.
  virtual void add_to(Lines& lines, std::size_t most_lines) const = 0;
  // All of the state, as the list commands of the service show it, with the target and the kind.
  virtual Json json() const = 0;
};

struct ServiceTargets {
  std::vector<std::string> devices, traders, repositories, channels, naming;
};

// Makes no calls. Throws a Failure for a text that is no reference.
std::vector<std::unique_ptr<ViewedService>> viewed_services(const ClientOrb& orb,
                                                            const ServiceTargets& targets);

}  // namespace takt::command
