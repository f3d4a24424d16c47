// Encoding formats of a connection's requests and replies.
#pragma once

#include <optional>

#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>

#include "giop/message/event.h"

namespace takt::server {

// Remembers the code sets that the client has chosen. One thread at a time.
class RequestFormats {
 public:
  // `memory`: the budget for decoded values; null: not limited. Both must outlive this object.
  explicit RequestFormats(cdr::Environment* environment, MemoryBudget* memory = nullptr) {
    format_.code_sets = &code_sets_;
    format_.environment = environment;
    format_.memory = memory;
  }
  RequestFormats(const RequestFormats&) = delete;
  RequestFormats& operator=(const RequestFormats&) = delete;

  // Takes over the code sets from another object for the same connection.
  void take_from(const RequestFormats& other) { code_sets_ = other.code_sets_; }

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
    if (chosen) code_sets_ = *chosen;
    return cdr::can_convert(code_sets_);
  }

 private:
  cdr::CodeSets code_sets_;
  cdr::Format format_;  // format of the last request
};

}  // namespace takt::server
