// Carries out changes to the tree of contexts, and knows how current the tree is.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
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
  // Figures of a store that several services share. Counts begin with its start.
  struct SharedFigures {
    bool answers = false;                               // the store does
    std::chrono::nanoseconds age{};                     // since when the tree is known to have been current
    std::uint64_t revision = 0, readings = 0;           // the store's revision; readings of the whole tree
    std::uint64_t questions = 0, failed_questions = 0;  // whether the tree is current
    std::uint64_t changes = 0, repeated_changes = 0, failed_changes = 0;
  };

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
  // Nothing for a store of one service. Does not block for the store.
  virtual std::optional<SharedFigures> figures() const { return std::nullopt; }
};

}  // namespace takt::naming
