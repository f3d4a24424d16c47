// A request whose arguments another client has encoded.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

#include "giop/contexts/service_context.h"

namespace takt::invocation {

// The request as received. The views must outlive the call.
struct RelayedRequest {
  std::string_view operation;
  bool response_expected = true;
  cdr::ByteOrder order = cdr::native_order;
  ByteView body;
  std::size_t body_index = 0;  // the CDR index at which the body began
  std::span<const giop::ServiceContext> contexts;
};

}  // namespace takt::invocation
