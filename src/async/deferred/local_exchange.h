// A request to an object of this process, through memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/server/reply_buffer.h>

#include "giop/contexts/service_context.h"
#include "giop/message/reply.h"
#include "reference/object_ref.h"
#include "server/intake/answer_path.h"

namespace takt::async {

// Request and reply are encoded as in GIOP 1.2. The servant runs in the calling thread, under the rules of
// its adapter. Lives on the caller's stack.
class LocalExchange {
 public:
  enum class Outcome : std::uint8_t { result, user_exception, elsewhere };

  // `ref` and `operation` must outlive it.
  LocalExchange(reference::ObjectRef& ref, std::string_view operation, bool response_expected);

  cdr::Encoder& arguments() { return request_; }
  // Sends the contexts with the request. Copies them.
  void add(std::span<const giop::ServiceContext> contexts);
  // Runs the request with arguments in the format of `arguments()`. Afterwards reply() is at the body of the
  // reply, whatever its status, unless needs_connection(). Throws only if there is none.
  giop::ReplyStatus dispatch(ByteView arguments);
  // Runs the request. `elsewhere` is the adapter's answer for an object that has moved; nothing has been done
  // then. Throws system exceptions, including the servant's.
  Outcome run();
  // After either: the servant answers later, which calls over connections can wait for. It was not called.
  bool needs_connection() const { return path_.was_asked; }
  // Positioned at the results, or at the first member of the user exception.
  cdr::Decoder& reply() { return *reply_; }
  // The reply's contexts, while this lives.
  const giop::ServiceContexts& contexts() const { return reply_contexts_; }
  std::string_view exception_id() const { return exception_id_; }
  // Call after reading the results. Throws MARSHAL if reading failed.
  void finish() const;
  [[noreturn]] void throw_unlisted_exception() const;

 private:
  // Tells a servant that answers later that it cannot do so here.
  struct Path final : server::AnswerPath {
    std::shared_ptr<server::LateSender> late_sender(Share) override {
      was_asked = true;
      return nullptr;
    }
    bool is_of_this_process() const override { return true; }
    bool is_left() const override { return was_asked; }
    bool was_asked = false;
  };
  bool read_head(std::uint32_t& status);

  reference::ObjectRef& ref_;
  const std::string_view operation_;
  const bool response_expected_;
  Path path_;
  GatherBuffer arguments_{256};
  server::ReplyBuffer answer_{256};
  cdr::Encoder request_;
  std::vector<std::uint8_t> octets_;  // copy of a reply that is not contiguous
  std::vector<std::uint8_t> context_octets_;
  giop::ServiceContexts request_contexts_, reply_contexts_;
  std::optional<cdr::Decoder> reply_;
  std::string_view exception_id_;
};

}  // namespace takt::async
