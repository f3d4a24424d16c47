// The endpoints of a reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <takt/cdr/ior.h>

#include <takt/transport/endpoint.h>

#include "giop/references/profile.h"

namespace takt::command {

struct Way {
  std::size_t profile = 0;  // index in the reference
  transport::Endpoint endpoint;
  cdr::Ior only;  // the object at this endpoint only, without a type id, which is asked for separately
};

// The transport of a plug-in.
struct PluggedIn {
  std::string protocol;
  giop::ProfileForm form;
};

// The endpoints in profiles that Takt or one of `more` understands: addresses, alternate addresses, addresses
// of lanes and of TLS, paths; each once.
std::vector<Way> ways_of(const cdr::Ior& ior, std::span<const PluggedIn> more = {});

}  // namespace takt::command
