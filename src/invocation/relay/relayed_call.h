// An invocation whose arguments somebody else has encoded, and whose results somebody else will decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>
#include <takt/connection/object.h>
#include <takt/connection/server_call.h>
#include <takt/invocation/client_call.h>

#include "giop/contexts/service_context.h"

namespace takt::invocation {

class Passage;

// A request as it came. The views outlive the call.
struct RelayedRequest {
  std::string_view operation;
  bool response_expected = true;
  cdr::ByteOrder order = cdr::native_order;
  ByteView body;
  std::size_t body_index = 0;  // the CDR index at which the body began
  std::span<const giop::ServiceContext> contexts;
};

// A stub's call without types: retried, forwarded, and bounded in time, like every other (ClientCall). Lives
// on the caller's stack; one thread. The target is of the request's GIOP version and code sets.
class RelayedCall {
 public:
  RelayedCall(const CORBA::Object& target, const RelayedRequest& request)
      : request_(request),
        call_(target, request.operation, request.response_expected, !request.body.empty()) {}

  // Blocks until there is an answer; null for a request without one. Exceptions that the server raises are
  // answers; those that are thrown are about reaching it. The answer's views live as long as this and the
  // passage, which its body goes through.
  const connection::EncodedAnswer* exchange(Passage& passage);

 private:
  const RelayedRequest& request_;
  ClientCall call_;
  connection::EncodedAnswer answer_;
};

}  // namespace takt::invocation
