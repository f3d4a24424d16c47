// Finds out at which endpoints the object of a reference answers.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <takt/transport/endpoint.h>

#include "common/output.h"
#include "ior/reference.h"
#include "ior/tls_port.h"

namespace takt::command {

struct Step {
  std::string name;
  bool ok = true;
  double ms = 0;
  std::string said;  // the result, or the reason why it failed; may be empty
};

struct ExaminedEndpoint {
  transport::Endpoint endpoint;
  std::size_t profile = 0;  // index in the reference
  bool answers = false;
  std::vector<Step> steps;
  std::optional<TlsPort> tls;  // nullopt: no TLS port, or one that shows no certificate
};

struct Examination {
  std::vector<std::string> warnings;                       // warnings_of() the reference
  bool answers = false;                                    // at least one endpoint answers
  std::optional<std::vector<ExaminedEndpoint>> endpoints;  // nullopt: the reference could not be resolved
  std::shared_ptr<const Examination> naming_service;       // null: no naming service was asked
  std::vector<Step> steps;                                 // steps for the whole reference
  std::vector<std::string> advice;                         // about the ORB of the reference
};

// Examines each endpoint of each profile by itself: resolves, connects, asks whether the object exists, and
// whether it has the reference's type. Uses the transports of an ORB in this environment. Blocks; each step
// takes up to `timeout` plus the ORB's own overhead. `orb_options` are as for ORB_init.
Examination examined(const Reference& reference, std::chrono::nanoseconds timeout,
                     const std::vector<std::string>& orb_options = {});

Json json_of(const Examination& examination);

}  // namespace takt::command
