// Carries out changes to the tree of contexts, and knows how current the tree is.
#pragma once

#include <cstdint>
#include <expected>
#include <variant>
#include <vector>

#include "naming/model/tree.h"
#include "sqlite/store_fault.h"

namespace takt::naming {

using sqlite::StoreFault;

// Thread-safe. It is the only one that changes the tree, and holds the tree's mutex exclusively while it
// does.
class Changes {
 public:
  using Failure = std::variant<Refusal, StoreFault>;
  // The id of the new context, if the change makes one.
  using Outcome = std::expected<ContextId, Failure>;
  enum class Renewal : std::uint8_t { never_needed, renewed, failed };

  virtual ~Changes() = default;

  // Blocks until the change is durable or refused. Once it has returned, the tree has the change, or gets it
  // before current_enough() is true.
  virtual Outcome carry_out(Change change) = 0;
  // The same for several changes, in their order. Changes of other callers may come in between.
  virtual std::vector<Outcome> carry_out(std::vector<Change> changes) = 0;

  // Whether the tree is current enough to answer a client. May block for a store that several services share.
  virtual bool current_enough() { return true; }
  // Brings the tree at least to the state that the store had when the call began. May block for the store.
  virtual Renewal renew() { return Renewal::never_needed; }
};

}  // namespace takt::naming
