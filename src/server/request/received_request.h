// A request as a connection receives it: its formats, and its conversion to a ServerCall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

#include "giop/dialect.h"
#include "giop/message/event.h"

namespace takt::server {

// Remembers the code sets that the client has chosen, and the form of its values. One thread at a time.
class RequestFormats {
 public:
  // `memory`: the budget for decoded values; null: not limited. Both must outlive this object.
  explicit RequestFormats(cdr::Environment* environment, MemoryBudget* memory = nullptr,
                          const giop::Dialect& dialect = {})
      : code_sets_{dialect.assumed, &peer_} {
    dialect.apply_to(format_);
    format_.code_sets = &code_sets_;
    format_.environment = environment;
    format_.memory = memory;
  }
  RequestFormats(const RequestFormats&) = delete;
  RequestFormats& operator=(const RequestFormats&) = delete;

  // Takes over what another object for the same connection remembers.
  void take_from(const RequestFormats& other) {
    set_code_sets(other.code_sets_);
    readable_ = other.readable_;
    if (other.peer_.is_tao() && format_.values == cdr::ValueForm::learned) peer_.note_tao();
  }
  cdr::PeerValueForm& peer() { return peer_; }
  // For requests that other threads decode, after peer().share(): takes over what these have learned.
  void follow_peer() {
    if (peer_.is_tao()) format_.values = cdr::ValueForm::tao;
  }

  // Format of the arguments. The reference is valid, and its object unchanged, until the next call.
  const cdr::Format& of(const giop::Event& event) {
    format_.order = event.order;
    format_.giop_minor = event.version.minor;
    return format_;
  }
  // Format of the reply, which is in native byte order.
  cdr::Format of_reply(const giop::Event& event) {
    cdr::Format format = of(event);
    format.order = cdr::native_order;
    return format;
  }
  // Remembers the code sets that the client has chosen, if any. False: this server cannot read them.
  bool note_code_sets(const std::optional<cdr::CodeSets>& chosen, giop::Version version) {
    if (version.minor == 0) return true;
    if (chosen) {
      set_code_sets(*chosen);
      readable_ = cdr::can_convert(code_sets_);
    }
    return readable_;
  }

 private:
  void set_code_sets(const cdr::CodeSets& sets) { static_cast<cdr::CodeSets&>(code_sets_) = sets; }

  cdr::PeerCodeSets code_sets_;
  bool readable_ = true;
  cdr::Format format_;  // format of the last request
  cdr::PeerValueForm peer_{format_.values};
};

// Has views into the event.
[[gnu::always_inline]] inline RequestContext context_of(const giop::Event& event, std::int16_t priority) {
  return {.request_id = event.request_id,
          .giop_minor = event.version.minor,
          .short_head = event.short_head,
          .response_expected = event.response_expected,
          .object_key = event.object_key,
          .operation = event.operation,
          .priority = priority,
          .contexts = &event.contexts};
}

// The views and the format are valid as long as the receive buffer or queued request that holds them.
struct ReceivedRequest {
  RequestContext context;
  ByteView body;
  std::size_t body_index = 0;
  const cdr::Format& format;

  // `reply` must outlive the call.
  template <class Buffer>
  ServerCall call(Buffer& reply) const {
    return {context, body, body_index, format, reply};
  }
};

// The same for an event that is served in place, without copying the request.
[[gnu::always_inline]] inline ServerCall call_for(const giop::Event& event, std::int16_t priority,
                                                  const cdr::Format& format, ReplyBuffer& reply) {
  return {context_of(event, priority), event.body, event.body_index, format, reply};
}

}  // namespace takt::server
