// The limit of the length of requests (-ORBMaxRequestSize).
#pragma once

#include <takt/base/gather_buffer.h>

#include "client/channel/failure.h"
#include "client/client.h"

namespace takt::client {

// Whether a request that is encoded must not be sent.
inline bool is_too_long(const GatherBuffer& request, const reference::References& references) {
  const std::size_t bytes = request.size();
  if (bytes <= ClientOptions::least_longest_request) [[likely]]
    return false;
  return bytes > client_of(references).options.longest_request;
}

[[noreturn]] inline void throw_too_long(const GatherBuffer& request, const reference::References& references,
                                        std::string_view operation) {
  throw_long_request(request.size(), client_of(references).options.longest_request, operation);
}

}  // namespace takt::client
