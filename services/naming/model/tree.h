// The tree of contexts and their bindings, in memory.
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

// Never reused, not even after the context is destroyed.
using ContextId = std::uint64_t;
inline constexpr ContextId root_context = 1;

// `context`: a context of this tree; `foreign_context`: a context of another service.
enum class BindingKind : std::uint8_t { object, context, foreign_context };

struct Binding {
  BindingKind kind = BindingKind::object;
  ContextId context = 0;      // 0 unless the kind is `context`
  std::string reference{};    // the IOR as an encapsulation; empty if the kind is `context`
  std::int64_t revision = 0;  // in a store that several services share: which of its changes made the binding

  bool is_context() const { return kind != BindingKind::object; }
  friend bool operator==(const Binding&, const Binding&) = default;
};

struct Context {
  std::map<std::string, Binding, std::less<>> bindings;  // by key_of()
  std::string old_key;  // the context's object key in the service from which it was imported
};

// A change to the tree, which the tree may refuse.
struct Change {
  enum class Action : std::uint8_t { bind, rebind, unbind, create, destroy };
  Action action = Action::bind;
  ContextId context = 0;  // the context to change; `create`: the new context
  std::string key{};      // unused by `create` and `destroy`
  Binding binding{};      // for `bind` and `rebind`
  bool creates = false;   // also makes the bound context; its id is set when the change is accepted
  std::string old_key{};  // for `create`
};

enum class Refusal : std::uint8_t {
  no_context,    // the context to change does not exist
  missing_node,  // there is no such binding
  not_context,   // bound to an object instead of a context
  not_object,    // bound to a context instead of an object
  already_bound,
  not_empty,
  is_root,  // the root cannot be destroyed
  too_many_bindings,
  too_many_bytes,
  too_many_contexts,
};

// Additions by accepted changes that are not applied yet.
struct Additions {
  std::uint64_t bindings = 0, contexts = 0, bytes = 0;
};

// Not thread-safe: one thread may change the tree while no other thread reads it.
class Tree {
 public:
  Tree() { contexts_.emplace(root_context, Context{}); }

  // Null if there is no such context. Valid until the next change.
  const Context* context(ContextId id) const;
  const Binding* find(ContextId context, std::string_view key) const;
  std::uint64_t bindings() const { return bindings_; }
  std::uint64_t contexts() const { return contexts_.size(); }
  // An id for the next context.
  ContextId new_id() { return next_++; }
  // Marks all ids up to `last` as used.
  void skip_ids(ContextId last);

  // The reason to refuse the change; empty if it is allowed.
  std::optional<Refusal> refusal_of(const Change& change, const Limits& limits,
                                    const Additions& more = {}) const;
  // The octets by which names and references grow together; 0 if they do not.
  std::uint64_t growth(const Change& change) const;
  // Applies a change that refusal_of() allows.
  void apply(Change change);

  const std::unordered_map<ContextId, Context>& all() const { return contexts_; }
  // Adds a binding read from a store; keys must come in order. False if the context does not exist.
  bool add_read(ContextId context, std::string key, Binding binding);

 private:
  static std::uint64_t bytes_of(const std::string& key, const Binding& binding) {
    return key.size() + binding.reference.size();
  }
  void remove(ContextId context, const std::string& key);
  void put(ContextId context, std::string key, Binding binding);
  std::optional<Refusal> refusal_of_growing(const Change& change, bool is_bound, const Limits& limits,
                                            const Additions& more) const;
  // The same for a change of a name that is bound.
  static std::optional<Refusal> refusal_of_replacing(const Binding& bound, const Change& change);

  std::unordered_map<ContextId, Context> contexts_;
  std::uint64_t bindings_ = 0, bytes_ = 0;
  ContextId next_ = root_context + 1;
};

}  // namespace takt::naming
