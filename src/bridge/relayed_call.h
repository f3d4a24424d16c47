// An invocation with arguments that another client has encoded, and results that it will decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <takt/invocation/client_call.h>
#include <takt/reference/encoded_answer.h>
#include <takt/reference/object.h>

#include "invocation/relayed_request.h"

namespace takt::bridge {

class RelayedBody;

// A stub's call without types: it is retried, forwarded and bounded in time like any other (ClientCall).
// Lives on the caller's stack; one thread. The target must match the request's GIOP version and code sets.
class RelayedCall {
 public:
  RelayedCall(const CORBA::Object& target, const invocation::RelayedRequest& request)
      : request_(request),
        call_(target, request.operation,
              {.response_expected = request.response_expected, .has_arguments = !request.body.empty()}) {}

  // Blocks until the answer arrives; null for a request without one. Exceptions raised by the server are
  // answers. Exceptions thrown here report a failure to reach it. The answer's views are valid as long as
  // this object and `relayed`, which the body goes through.
  const reference::EncodedAnswer* exchange(RelayedBody& relayed);

 private:
  const invocation::RelayedRequest& request_;
  invocation::ClientCall call_;
  reference::EncodedAnswer answer_;
};

}  // namespace takt::bridge
