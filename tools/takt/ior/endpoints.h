// Where a reference leads, endpoint by endpoint.
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
  std::size_t profile = 0;  // which of the reference's
  transport::Endpoint endpoint;
  cdr::Ior only;  // the same object by this endpoint alone, of no type: what its type is, will be asked
};

// A transport of a plug-in.
struct PluggedIn {
  std::string protocol;
  giop::ProfileForm form;
};

// Of the profiles that Takt, or one of `more`, understands: addresses, alternate addresses, those of lanes,
// those by TLS, paths; each once.
std::vector<Way> ways_of(const cdr::Ior& ior, std::span<const PluggedIn> more = {});

}  // namespace takt::command
