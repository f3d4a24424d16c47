// An invocation whose arguments somebody else has encoded, and whose results somebody else will decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/encoded_answer.h>
#include <takt/reference/object.h>

#include "invocation/relayed_request.h"

namespace takt::bridge {

class Passage;

// A stub's call without types: retried, forwarded, and bounded in time, like every other (ClientCall). Lives
// on the caller's stack; one thread. The target is of the request's GIOP version and code sets.
class RelayedCall {
 public:
  RelayedCall(const CORBA::Object& target, const invocation::RelayedRequest& request)
      : request_(request),
        call_(target, request.operation, request.response_expected, !request.body.empty()) {}

  // Blocks until there is an answer; null for a request without one. Exceptions that the server raises are
  // answers; those that are thrown are about reaching it. The answer's views live as long as this and the
  // passage, which its body goes through.
  const reference::EncodedAnswer* exchange(Passage& passage);

 private:
  const invocation::RelayedRequest& request_;
  invocation::ClientCall call_;
  reference::EncodedAnswer answer_;
};

}  // namespace takt::bridge
