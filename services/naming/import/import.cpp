#include "naming/import/import.h"

#include <map>
#include <shared_mutex>
#include <utility>
#include <variant>
#include <vector>

namespace takt::naming {
namespace {

using Action = Change::Action;

constexpr std::size_t at_once = 4096;

std::string text_of(const Changes::Failure& failure) {
  if (const auto* fault = std::get_if<StoreFault>(&failure))
    return "the store cannot be written: " + fault->text;
  switch (std::get<Refusal>(failure)) {
    case Refusal::not_context:
    case Refusal::not_object:
      return "a name is bound to a context on one side and to an object on the other; unbind it first";
    case Refusal::too_many_bindings:
      return "there are more bindings than --max-bindings allows";
    case Refusal::too_many_bytes:
      return "names and references have more octets than --max-total-octets allows";
    case Refusal::too_many_contexts:
      return "there are more contexts than --max-contexts allows";
    default:
      return "a context was destroyed during the import";
  }
}

class Import {
 public:
  Import(const ImportedNames& names, const Tree& tree, TreeMutex& mutex, Changes& store)
      : names_(names), store_(store) {
    const std::shared_lock lock(mutex);
    for (const auto& [id, context] : tree.all())
      if (!context.old_key.empty()) known_.emplace(context.old_key, id);
  }

  std::expected<ImportCounts, std::string> run() {
    if (auto made = make_contexts(); !made) return std::unexpected(made.error());
    for (const auto& [id, context] : names_.contexts)
      for (const auto& [key, bound] : context.bindings) {
        Change change{
            .action = Action::rebind, .context = ids_.at(id), .key = key, .binding = binding_of(bound)};
        changes_.push_back(std::move(change));
        ++counts_.bindings;
        if (changes_.size() == at_once)
          if (auto done = flush(); !done) return std::unexpected(done.error());
      }
    if (auto done = flush(); !done) return std::unexpected(done.error());
    return counts_;
  }

 private:
  std::expected<void, std::string> make_contexts() {
    std::vector<std::string> order;
    for (const auto& [id, context] : names_.contexts) {
      if (id == names_.root) {
        ids_[id] = root_context;
        continue;
      }
      const std::string& key = context.object_key.empty() ? id : context.object_key;
      if (const auto known = known_.find(key); known != known_.end()) {
        ids_[id] = known->second;
        continue;
      }
      order.push_back(id);
      Change& created = changes_.emplace_back();
      created.action = Action::create;
      created.old_key = key;
    }
    auto outcomes = store_.carry_out(std::exchange(changes_, {}));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (!outcomes[i]) return std::unexpected(text_of(outcomes[i].error()));
      ids_[order[i]] = *outcomes[i];
      ++counts_.contexts;
    }
    return {};
  }

  // A context that its service has destroyed but not unbound is imported as a plain reference.
  Binding binding_of(const ImportedNames::Bound& bound) const {
    if (!bound.is_context) return {.kind = BindingKind::object, .context = 0, .reference = bound.reference};
    const auto own = ids_.find(bound.own_key);
    if (own == ids_.end())
      return {.kind = BindingKind::foreign_context, .context = 0, .reference = bound.reference};
    return {.kind = BindingKind::context, .context = own->second, .reference = {}};
  }

  std::expected<void, std::string> flush() {
    for (const auto& outcome : store_.carry_out(std::exchange(changes_, {})))
      if (!outcome) return std::unexpected(text_of(outcome.error()));
    return {};
  }

  const ImportedNames& names_;
  Changes& store_;
  std::map<std::string, ContextId> known_, ids_;
  std::vector<Change> changes_;
  ImportCounts counts_;
};

}  // namespace

std::expected<ImportCounts, std::string> import_names(const ImportedNames& names, const Tree& tree,
                                                      TreeMutex& mutex, Changes& changes) {
  return Import(names, tree, mutex, changes).run();
}

}  // namespace takt::naming
