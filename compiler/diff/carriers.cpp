#include "diff/carriers.h"

#include <set>

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

// The declaration that a type, or its element type, names. `step` is set to the path from the type to it.
// Null if it names none.
const Declaration* named_in(const Type& type, std::string& step) {
  const Type* at = &type;
  for (;; at = at->element) {
    if (at->kind == TypeKind::named) return &defined(*at->declaration);
    if (!at->element) return nullptr;
    step += "[]";
  }
}

constexpr std::size_t most_carriers = 1000;  // per type; a finding shows only a few

}  // namespace

Carriers::Carriers(const Specification& specification) {
  for (const Declaration* one : specification.declarations()) {
    note_members(*one);
    if (one->kind == K::interface_ && !one->is_local) note_slots(*one);
  }
}

void Carriers::hold(const Declaration& outer, const Type& type, const std::string& step) {
  std::string full = step;
  if (const Declaration* inner = named_in(type, full)) holders_[inner].push_back({&outer, full});
  for (const Type* at = &type; at; at = at->element)
    if (at->key) hold(outer, *at->key, step + " key");
}

void Carriers::note_members(const Declaration& declaration) {
  const bool is_value = declaration.kind == K::value || declaration.kind == K::event;
  const bool has_type = declaration.kind == K::typedef_ || declaration.kind == K::value_box;
  if (has_type && declaration.type) hold(declaration, *declaration.type, "");
  if (declaration.kind == K::union_ && declaration.type)
    hold(declaration, *declaration.type, " discriminator");
  if (declaration.kind == K::interface_) return;
  for (const Declaration* member : declaration.contents)
    if (member->kind == K::member && member->type) hold(declaration, *member->type, "." + member->name);
  for (const Declaration* base : declaration.bases) {
    holders_[&defined(*base)].push_back({&declaration, " base"});
    // Where a base is declared, a derived value may be sent.
    if (is_value) holders_[&declaration].push_back({&defined(*base), " derived"});
  }
}

void Carriers::carry(const Declaration& operation, const Type& type, const std::string& text, Flow flow) {
  std::string step;
  if (const Declaration* inner = named_in(type, step))
    slots_[inner].push_back({operation.scoped_name(), text, step, flow});
  for (const Type* at = &type; at; at = at->element)
    if (at->key) carry(operation, *at->key, text, flow);
}

void Carriers::raise(const Declaration& operation, const std::vector<Declaration*>& exceptions) {
  for (const Declaration* one : exceptions)
    slots_[&defined(*one)].push_back(
        {operation.scoped_name(), "raised " + one->scoped_name(), "", {.in = false, .out = true}});
}

void Carriers::note_slots(const Declaration& interface) {
  using Direction = Declaration::Direction;
  for (const Declaration* one : interface.contents) {
    if (one->kind == K::attribute)
      carry(*one, *one->type, "the attribute", {.in = !one->is_readonly, .out = true});
    if (one->kind == K::operation) {
      if (one->type) carry(*one, *one->type, "the result", {.in = false, .out = true});
      for (const auto& parameter : one->parameters)
        carry(*one, *parameter.type, "parameter '" + parameter.name + "'",
              {.in = parameter.direction != Direction::out, .out = parameter.direction != Direction::in});
    }
    raise(*one, one->raises);
    raise(*one, one->set_raises);
  }
}

const std::vector<Carrier>& Carriers::of(const Declaration& type) {
  const auto [found, added] = found_.try_emplace(&type);
  if (added) found->second = search(type);
  return found->second;
}

// Breadth first, from the type to the types that hold it.
std::vector<Carrier> Carriers::search(const Declaration& type) const {
  struct Reached {
    const Declaration* declaration;
    std::string path;  // from the current type to the searched one
  };
  std::vector<Carrier> carriers;
  std::vector<Reached> queue{{&type, ""}};
  std::set<const Declaration*> seen{&type};
  std::set<std::pair<std::string, std::string>> taken;
  for (std::size_t at = 0; at < queue.size() && carriers.size() < most_carriers; ++at) {
    const Reached here = queue[at];
    if (const auto slots = slots_.find(here.declaration); slots != slots_.end())
      for (const Slot& slot : slots->second)
        if (taken.emplace(slot.operation, slot.text).second)
          carriers.push_back({slot.operation, slot.text,
                              here.declaration->scoped_name() + slot.step + here.path, slot.flow});
    const auto holders = holders_.find(here.declaration);
    if (holders == holders_.end()) continue;
    for (const Holder& holder : holders->second)
      if (seen.insert(holder.outer).second)
        queue.push_back({holder.outer, holder.step.empty() ? " " + here.declaration->scoped_name() + here.path
                                                           : holder.step + here.path});
  }
  return carriers;
}

}  // namespace takt::idl::diff
