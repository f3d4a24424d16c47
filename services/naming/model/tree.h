// Contexts and what is bound in them, in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "naming/model/limits.h"

namespace takt::naming {

// Never given twice, also not after the context was destroyed.
using ContextId = std::uint64_t;
inline constexpr ContextId root_context = 1;

// `context`: one of this tree; `foreign_context`: of another service.
enum class BindingKind : std::uint8_t { object, context, foreign_context };

struct Binding {
  BindingKind kind = BindingKind::object;
  ContextId context = 0;    // 0 unless the kind is `context`
  std::string reference{};  // the IOR as an encapsulation; empty if the kind is `context`

  bool is_context() const { return kind != BindingKind::object; }
  friend bool operator==(const Binding&, const Binding&) = default;
};

struct Context {
  std::map<std::string, Binding, std::less<>> bindings;  // by key_of()
  std::string old_key;  // the object key that it had in the service that it was imported from
};

// A step that the tree makes, or refuses.
struct Change {
  enum class Action : std::uint8_t { bind, rebind, unbind, create, destroy };
  Action action = Action::bind;
  ContextId context = 0;  // where; for `create` the new context
  std::string key{};      // unless the action is `create` or `destroy`
  Binding binding{};      // of `bind` and `rebind`
  bool creates = false;   // the bound context is made with its binding: its id is given meanwhile
  std::string old_key{};  // of `create`
};

enum class Refusal : std::uint8_t {
  no_context,    // the context where it should happen does not exist
  missing_node,  // not bound
  not_context,   // bound to an object, where a context should be
  not_object,    // bound to a context, where an object should be
  already_bound,
  not_empty,
  is_root,  // which cannot be destroyed
  too_many_bindings,
  too_many_contexts,
};

// One thread changes it while none reads.
class Tree {
 public:
  Tree() { contexts_.emplace(root_context, Context{}); }

  // Null if it does not exist, or is not bound. Valid until the next change.
  const Context* context(ContextId id) const;
  const Binding* find(ContextId context, std::string_view key) const;
  std::uint64_t bindings() const { return bindings_; }
  std::uint64_t contexts() const { return contexts_.size(); }
  // For the next context.
  ContextId new_id() { return next_++; }
  // Ids up to that one have been given.
  void skip_ids(ContextId last);

  // Why the change cannot be. `bindings` and `contexts` are to be added by other changes that come first.
  std::optional<Refusal> refusal_of(const Change& change, const Limits& limits, std::uint64_t bindings = 0,
                                    std::uint64_t contexts = 0) const;
  // Makes a change that nothing refuses.
  void apply(Change change);

  const std::unordered_map<ContextId, Context>& all() const { return contexts_; }
  // As read from a store, in the order of the keys. False if the context does not exist.
  bool add_read(ContextId context, std::string key, Binding binding);

 private:
  std::unordered_map<ContextId, Context> contexts_;
  std::uint64_t bindings_ = 0;
  ContextId next_ = root_context + 1;
};

}  // namespace takt::naming
