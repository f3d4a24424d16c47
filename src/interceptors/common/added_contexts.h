// Service contexts that interceptors add to a message.
#pragma once

#include <span>
#include <vector>

#include <takt/interceptors/request_info.h>

#include "giop/contexts/service_context.h"

namespace takt::interceptors {

// Keeps its memory when it is cleared.
class AddedContexts {
 public:
  // Throws BAD_INV_ORDER (OMG minor 15).
  void add(const IOP::ServiceContext& context, bool replace);
  const IOP::ServiceContext* find(IOP::ServiceId id) const;
  void clear() {
    contexts_.clear();
    views_.clear();
  }
  bool empty() const { return contexts_.empty(); }
  // Valid until the next change.
  std::span<const giop::ServiceContext> views() const { return views_; }

 private:
  std::vector<IOP::ServiceContext> contexts_;
  std::vector<giop::ServiceContext> views_;
};

// A copy of a received context. Throws BAD_PARAM (OMG minor 26) if there is none.
IOP::ServiceContext copy_of(const giop::ServiceContexts* contexts, IOP::ServiceId id);
[[noreturn]] void throw_no_context(IOP::ServiceId id);

}  // namespace takt::interceptors
