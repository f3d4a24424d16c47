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

std::uint64_t Tree::growth(const Change& change) const {
  if (change.action != Action::bind && change.action != Action::rebind) return 0;
  const Binding* const old = find(change.context, change.key);
  const std::uint64_t after = bytes_of(change.key, change.binding);
  return after - std::min(after, old ? bytes_of(change.key, *old) : 0);
}

std::optional<Refusal> Tree::refusal_of(const Change& change, const Limits& limits,
                                        const Additions& more) const {
  const bool makes_context = change.action == Action::create || change.creates;
  if (makes_context && contexts_.size() + more.contexts >= limits.contexts) return Refusal::too_many_contexts;
  if (change.action == Action::create) return std::nullopt;
  const Context* in = context(change.context);
  if (!in) return Refusal::no_context;
  if (change.action == Action::destroy) {
    if (change.context == root_context) return Refusal::is_root;
    return in->bindings.empty() ? std::nullopt : std::optional(Refusal::not_empty);
  }
  const auto bound = in->bindings.find(change.key);
  const bool is_bound = bound != in->bindings.end();
  if (!is_bound && change.action == Action::unbind) return Refusal::missing_node;
  const auto refusal = is_bound ? refusal_of_replacing(bound->second, change) : std::nullopt;
  return refusal ? refusal : refusal_of_growing(change, is_bound, limits, more);
}

std::optional<Refusal> Tree::refusal_of_growing(const Change& change, bool is_bound, const Limits& limits,
                                                const Additions& more) const {
  if (!is_bound && bindings_ + more.bindings >= limits.bindings) return Refusal::too_many_bindings;
  const std::uint64_t growth = this->growth(change);
  if (growth > 0 && bytes_ + more.bytes + growth > limits.total_bytes) return Refusal::too_many_bytes;
  return std::nullopt;
}

std::optional<Refusal> Tree::refusal_of_replacing(const Binding& bound, const Change& change) {
  if (change.action == Action::bind) return Refusal::already_bound;
  if (change.action == Action::rebind && bound.is_context() != change.binding.is_context())
    return change.binding.is_context() ? Refusal::not_context : Refusal::not_object;
  return std::nullopt;
}

void Tree::remove(ContextId context, const std::string& key) {
  auto& bindings = contexts_[context].bindings;
  const auto found = bindings.find(key);
  if (found == bindings.end()) return;
  bytes_ -= bytes_of(key, found->second);
  --bindings_;
  bindings.erase(found);
}

void Tree::put(ContextId context, std::string key, Binding binding) {
  const std::uint64_t bytes = bytes_of(key, binding);
  const auto [at, is_new] = contexts_[context].bindings.try_emplace(std::move(key));
  bytes_ += bytes - (is_new ? 0 : bytes_of(at->first, at->second));
  bindings_ += is_new;
  at->second = std::move(binding);
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
      remove(change.context, change.key);
      return;
    case Action::bind:
    case Action::rebind:
      if (change.creates) contexts_.emplace(change.binding.context, Context{});
      put(change.context, std::move(change.key), std::move(change.binding));
      return;
  }
}

bool Tree::add_read(ContextId context, std::string key, Binding binding) {
  const auto found = contexts_.find(context);
  if (found == contexts_.end()) return false;
  auto& bindings = found->second.bindings;
  const auto before = bindings.size();
  const std::uint64_t bytes = bytes_of(key, binding);
  bindings.emplace_hint(bindings.end(), std::move(key), std::move(binding));
  if (bindings.size() == before) return true;
  ++bindings_;
  bytes_ += bytes;
  return true;
}

}  // namespace takt::naming
