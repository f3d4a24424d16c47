// Compares two versions declaration by declaration.
#include "diff/context.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

constexpr Effects wire_effects = bit(Effect::wire) | bit(Effect::wire_back);

// The kind of a declaration. A forward declaration of an interface or value counts as that kind.
K kind_of(const Declaration& declaration) {
  const K kind = declaration.kind == K::forward_ ? declaration.forward_kind : declaration.kind;
  return kind == K::event ? K::value : kind;
}

bool has_id(K kind) { return kind != K::module_ && kind != K::constant && kind != K::native; }
bool travels_with_id(K kind) {
  return kind == K::interface_ || kind == K::exception || kind == K::value || kind == K::value_box;
}

// The rule for a declaration whose name or repository id has changed.
RuleName renamed_rule(K kind) {
  switch (kind) {
    case K::interface_:
      return "interface-renamed";
    case K::exception:
      return "exception-renamed";
    case K::value:
    case K::value_box:
      return "value-renamed";
    default:
      return "type-renamed";
  }
}
RuleName id_rule(K kind) {
  switch (kind) {
    case K::interface_:
      return "interface-repository-id-changed";
    case K::exception:
      return "exception-repository-id-changed";
    case K::value:
    case K::value_box:
      return "value-repository-id-changed";
    default:
      return "type-repository-id-changed";
  }
}

class Comparison {
 public:
  Comparison(const Specification& old, const Specification& now) : context_(old, now) {}

  std::vector<Finding> run() {
    for (const Pairs::Pair& pair : context_.pairs().both()) compare(pair);
    for (const Declaration* old : context_.pairs().removed()) report_removed(*old);
    return context_.take();
  }

 private:
  void compare(const Pairs::Pair& pair) {
    const K kind = kind_of(*pair.old);
    compare_names(pair, kind);
    if (kind != kind_of(*pair.now)) {
      const Effects possible = kind == K::constant || kind == K::module_ ? bit(Effect::source) : all_effects;
      return context_.report("type-kind-changed", site_of(pair), "it is something else now", possible);
    }
    // A declaration that is only declared forward has no contents to compare.
    if (pair.old->kind != K::forward_ && pair.now->kind != K::forward_) compare_contents(pair, kind);
  }

  void compare_contents(const Pairs::Pair& pair, K kind) {
    switch (kind) {
      case K::interface_:
        return compare_interfaces(context_, pair);
      case K::value:
        return compare_values(context_, pair);
      case K::struct_:
        return compare_structs(context_, pair);
      case K::exception:
        return compare_exceptions(context_, pair);
      case K::union_:
        return compare_unions(context_, pair);
      case K::enum_:
        return compare_enums(context_, pair);
      case K::bitmask:
        return compare_bitmasks(context_, pair);
      case K::bitset:
        return compare_bitsets(context_, pair);
      case K::constant:
        return compare_constants(context_, pair);
      case K::typedef_:
      case K::value_box:
        return compare_types(context_, site_of(pair), *pair.old->type, *pair.now->type);
      default:
        return;
    }
  }

  void compare_names(const Pairs::Pair& pair, K kind) {
    const bool same_id = pair.old->repository_id == pair.now->repository_id;
    const std::string names = pair.old->scoped_name() + " is now " + pair.now->scoped_name();
    if (pair.renamed && kind == K::module_)
      return context_.report("module-renamed", site_of(pair, false), names,
                             ids_change(*pair.old) ? all_effects : bit(Effect::source));
    if (pair.renamed)
      return context_.report(renamed_rule(kind), id_site(pair, kind), names,
                             same_id ? bit(Effect::source) : all_effects);
    if (has_id(kind) && !same_id && !context_.pairs().is_renamed(*pair.now))
      context_.report(id_rule(kind), id_site(pair, kind),
                      pair.old->repository_id + " is now " + pair.now->repository_id);
  }

  // Whether the repository id of an interface, exception or value in the module has changed.
  bool ids_change(const Declaration& module) const {
    for (const Declaration* one : context_.old().contents(module)) {
      const Declaration* const now = context_.pairs().now(one->scoped_name());
      if (!now) continue;
      const K kind = kind_of(*one);
      if (kind == K::module_ ? ids_change(*one)
                             : travels_with_id(kind) && one->repository_id != now->repository_id)
        return true;
    }
    return false;
  }

  // A changed id of an interface breaks the interface's operations. Another changed id breaks the operations
  // that carry the type.
  static Site id_site(const Pairs::Pair& pair, K kind) {
    Site site = site_of(pair, kind != K::interface_);
    if (kind == K::interface_)
      for (const Declaration* one : Specification::operations(*pair.old))
        site.direct.push_back({pair.old->scoped_name() + "::" + one->name, "", "", {}});
    return site;
  }

  void report_removed(const Declaration& old) {
    const K kind = kind_of(old);
    if (kind == K::module_) return;  // changes of the contents are reported
    Site site{old.scoped_name(), old.at, {}, nullptr, {}};
    if (kind == K::interface_)
      for (const Declaration* one : Specification::operations(old))
        site.direct.push_back({old.scoped_name() + "::" + one->name, "", "", {}});
    const RuleName rule = kind == K::interface_ ? RuleName("interface-removed")
                          : kind == K::constant ? RuleName("constant-removed")
                                                : RuleName("type-removed");
    context_.report(rule, site, old.name, old.is_local ? all_effects & ~wire_effects : all_effects);
  }

  Context context_;
};

}  // namespace

void compare_constants(Context& context, const Pairs::Pair& pair) {
  const Site site = site_of(pair, false);
  const std::string before = text_of(pair.old->value), after = text_of(pair.now->value);
  if (!context.same_type(*pair.old->type, *pair.now->type))
    context.report("constant-type-changed", site,
                   text_of(*pair.old->type) + " is now " + text_of(*pair.now->type));
  if (before != after) context.report("constant-value-changed", site, before + " is now " + after);
}

std::vector<Finding> compare(const Specification& old, const Specification& now) {
  return Comparison(old, now).run();
}

}  // namespace takt::idl::diff
