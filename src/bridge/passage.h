// The bodies of one request on their way through a bridge.
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

// As they came: octets, none of them looked at. Where references are rewritten, the bodies of operations that
// may hold some are decoded and encoded again, in the same byte order and code sets; so are those of any
// known operation in fragments of GIOP 1.1, whose numbers are aligned in each fragment anew, so that their
// octets cannot be moved. Lives on the stack of the thread that serves the request.
class Passage {
 public:
  // For a target on that side; `interface_id`: of its type, or empty. No rewriter: no references are
  // rewritten. The views and the rewriter outlive it.
  Passage(ReferenceRewriter* rewriter, Side target, std::string_view interface_id,
          std::string_view operation);
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  struct Body {
    ByteView octets;        // in the message, or in the passage
    std::size_t index = 0;  // the CDR index at which they begin
  };
  // All of it, once it has arrived; the decoders are at their ends then. MARSHAL where octets are missing,
  // and for fragments of GIOP 1.1 that cannot be decoded.
  Body arguments(cdr::Decoder& body);
  Body results(cdr::Decoder& body, giop::ReplyStatus status);

 private:
  using Types = std::span<const CORBA::typecode_reference>;
  Body passed(cdr::Decoder& body, const Types* types, bool refer, Side to, CORBA::CompletionStatus completed);
  bool rewritten(cdr::Decoder& body, Types types, Side to);
  bool rewritten(cdr::Decoder& body, Types types);
  Body rewritten_body() const { return {{rewritten_->owned(), rewritten_->owned_size()}, 0}; }

  ReferenceRewriter* const rewriter_;
  const Side target_;
  const std::string_view operation_;
  const OperationTable::Entry* known_ = nullptr;
  std::vector<std::uint8_t> storage_;      // of a body that was still arriving
  std::optional<GatherBuffer> rewritten_;  // what the last one that was encoded again has become
};

}  // namespace takt::bridge
