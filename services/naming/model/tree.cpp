#include "naming/model/tree.h"

#include <algorithm>
#include <utility>

namespace takt::naming {

using Action = Change::Action;

const Context* Tree::context(ContextId id) const {
  const auto found = contexts_.find(id);
  return found == contexts_.end() ? nullptr : &found->second;
}

const Binding* Tree::find(ContextId context, std::string_view key) const {
  const Context* in = this->context(context);
  if (!in) return nullptr;
  const auto found = in->bindings.find(key);
  return found == in->bindings.end() ? nullptr : &found->second;
}

void Tree::skip_ids(ContextId last) { next_ = std::max(next_, last + 1); }

std::optional<Refusal> Tree::refusal_of(const Change& change, const Limits& limits, std::uint64_t bindings,
                                        std::uint64_t contexts) const {
  const bool makes_context = change.action == Action::create || change.creates;
  if (makes_context && contexts_.size() + contexts >= limits.contexts) return Refusal::too_many_contexts;
  if (change.action == Action::create) return std::nullopt;
  const Context* in = context(change.context);
  if (!in) return Refusal::no_context;
  if (change.action == Action::destroy) {
    if (change.context == root_context) return Refusal::is_root;
    return in->bindings.empty() ? std::nullopt : std::optional(Refusal::not_empty);
  }
  const auto bound = in->bindings.find(change.key);
  if (bound != in->bindings.end()) return refusal_of_replacing(bound->second, change);
  if (change.action == Action::unbind) return Refusal::missing_node;
  return bindings_ + bindings >= limits.bindings ? std::optional(Refusal::too_many_bindings) : std::nullopt;
}

std::optional<Refusal> Tree::refusal_of_replacing(const Binding& bound, const Change& change) {
  if (change.action == Action::bind) return Refusal::already_bound;
  if (change.action == Action::rebind && bound.is_context() != change.binding.is_context())
    return change.binding.is_context() ? Refusal::not_context : Refusal::not_object;
  return std::nullopt;
}

void Tree::apply(Change change) {
  switch (change.action) {
    case Action::create:
      contexts_[change.context].old_key = std::move(change.old_key);
      return;
    case Action::destroy:
      contexts_.erase(change.context);
      return;
    case Action::unbind:
      bindings_ -= contexts_[change.context].bindings.erase(change.key);
      return;
    case Action::bind:
    case Action::rebind:
      if (change.creates) contexts_.emplace(change.binding.context, Context{});
      auto& bindings = contexts_[change.context].bindings;
      bindings_ += bindings.insert_or_assign(std::move(change.key), std::move(change.binding)).second;
      return;
  }
}

bool Tree::add_read(ContextId context, std::string key, Binding binding) {
  const auto found = contexts_.find(context);
  if (found == contexts_.end()) return false;
  auto& bindings = found->second.bindings;
  const auto before = bindings.size();
  bindings.emplace_hint(bindings.end(), std::move(key), std::move(binding));
  bindings_ += bindings.size() - before;
  return true;
}

}  // namespace takt::naming
