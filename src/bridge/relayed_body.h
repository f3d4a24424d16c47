// The bodies of one request and its reply as they pass through a bridge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/exception.h>

#include "bridge/reference_rewriter.h"
#include "giop/message/reply.h"

namespace takt::bridge {

// Bodies pass as octets that are not inspected, with two exceptions. If references are rewritten, bodies of
// operations that may hold some are decoded and encoded again, in the same byte order and code sets. So are
// those of any known operation in GIOP 1.1 fragments, whose octets cannot be moved because each fragment has
// its own alignment. Lives on the stack of the thread that serves the request.
class RelayedBody {
 public:
  // `target` is the side of the target object and `interface_id` its type, or empty. Without a rewriter,
  // references pass unchanged. The views and the rewriter must outlive it.
  RelayedBody(ReferenceRewriter* rewriter, Side target, std::string_view interface_id,
              std::string_view operation);
  RelayedBody(const RelayedBody&) = delete;
  RelayedBody& operator=(const RelayedBody&) = delete;

  struct Body {
    ByteView octets;        // in the message, or in this object
    std::size_t index = 0;  // the CDR index of the first octet
  };
  // The whole body, once it has arrived; the decoder is then at its end. It is kept in memory that the
  // decoder is charged for, so the decoder must live as long as the body is used. Throws MARSHAL if octets
  // are missing, or for GIOP 1.1 fragments that cannot be decoded; NO_MEMORY beyond the budget of the
  // message.
  Body arguments(cdr::Decoder& body);
  Body results(cdr::Decoder& body, giop::ReplyStatus status);

  // The memory of the message that is being passed on.
  struct Memory {
    cdr::Decoder* message = nullptr;
    CORBA::CompletionStatus completed = CORBA::COMPLETED_NO;  // for exceptions
    // Throws NO_MEMORY if the budget is used up.
    void charge(std::size_t bytes) const;
    [[noreturn]] void refuse() const;
  };

 private:
  using Types = std::span<const CORBA::typecode_reference>;
  Body passed(cdr::Decoder& body, const Types* types, bool refer, Side to);
  Body passed_results(cdr::Decoder& body, giop::ReplyStatus status);
  ByteView whole(cdr::Decoder& body);
  bool rewritten(cdr::Decoder& body, Types types, Side to);
  bool rewritten(cdr::Decoder& body, Types types);
  Body rewritten_body() const { return {{rewritten_->owned(), rewritten_->owned_size()}, 0}; }

  ReferenceRewriter* const rewriter_;
  const Side target_;
  const std::string_view operation_;
  const KnownOperations::Entry* known_ = nullptr;
  Memory memory_;
  std::vector<std::uint8_t> storage_;      // holds a body that was still arriving
  std::optional<GatherBuffer> rewritten_;  // the last body that was encoded again
};

}  // namespace takt::bridge
