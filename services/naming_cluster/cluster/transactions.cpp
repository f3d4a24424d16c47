#include "naming_cluster/cluster/transactions.h"

#include <utility>

namespace takt::naming {
namespace {

using Action = Change::Action;
using etcd::Compare;
using etcd::Operation;

class Planner {
 public:
  Planner(const Change& change, const Tree& tree, const Layout& layout)
      : change_(change), tree_(tree), layout_(layout) {}

  // Compares the facts that lead to the refusal. False if it depends on none.
  bool confirm(Refusal refusal) {
    switch (refusal) {
      case Refusal::no_context:
        compare_revision(layout_.context(change_.context), 0);
        return true;
      case Refusal::missing_node:
      case Refusal::not_context:
      case Refusal::not_object:
      case Refusal::already_bound:
        compare_context();
        compare_binding();
        return true;
      case Refusal::not_empty:
        compare_exists(
            layout_.binding(change_.context, tree_.context(change_.context)->bindings.begin()->first));
        return true;
      default:
        return false;
    }
  }

  void carry_out(etcd::Revision fence, const std::string& mark) {
    compare_revision(layout_.fence(), fence);
    switch (change_.action) {
      case Action::create:
        create(change_.context);
        break;
      case Action::destroy:
        compare_context();
        planned.transaction.compares.push_back(
            {.what = Compare::What::empty, .range = layout_.bindings(change_.context)});
        remove(layout_.context(change_.context));
        break;
      case Action::unbind:
        compare_binding();
        remove(layout_.binding(change_.context, change_.key));
        break;
      case Action::bind:
      case Action::rebind:
        compare_context();
        compare_binding();
        if (change_.creates) create(change_.binding.context);
        put(layout_.binding(change_.context, change_.key), value_of(change_.binding));
        break;
    }
    put(layout_.last(), mark);
  }

  Planned planned;

 private:
  void compare_revision(std::string key, etcd::Revision revision) {
    planned.transaction.compares.push_back(
        {.what = Compare::What::revision, .range = {std::move(key)}, .revision = revision});
  }
  void compare_exists(std::string key) {
    planned.transaction.compares.push_back({.what = Compare::What::exists, .range = {std::move(key)}});
  }
  // The root always exists, and has no key.
  void compare_context() {
    if (change_.context != root_context) compare_exists(layout_.context(change_.context));
  }
  void compare_binding() {
    const Binding* bound = tree_.find(change_.context, change_.key);
    compare_revision(layout_.binding(change_.context, change_.key), bound ? bound->revision : 0);
  }
  void put(std::string key, std::string value) {
    planned.transaction.then.push_back({Operation::What::put, std::move(key), std::move(value)});
  }
  void remove(std::string key) {
    planned.transaction.then.push_back({.what = Operation::What::remove, .key = std::move(key)});
  }
  void create(ContextId id) {
    compare_revision(layout_.context(id), 0);
    put(layout_.context(id), change_.old_key);
  }

  const Change& change_;
  const Tree& tree_;
  const Layout& layout_;
};

}  // namespace

Planned plan(const Change& change, const Tree& tree, const Limits& limits, const Layout& layout,
             etcd::Revision fence, const std::string& mark) {
  Planner planner(change, tree, layout);
  const auto refusal = tree.refusal_of(change, limits);
  planner.planned.refusal = refusal;
  planner.planned.transaction.otherwise.push_back({layout.last()});
  if (refusal)
    planner.planned.is_local = !planner.confirm(*refusal);
  else
    planner.carry_out(fence, mark);
  return std::move(planner.planned);
}

}  // namespace takt::naming
