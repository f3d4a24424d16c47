#include "adapter/poa/adapter_paths.h"

#include <algorithm>

#include <takt/cdr/exception.h>

#include "lookup/keys/object_key.h"

namespace takt::adapter {

AdapterPaths::~AdapterPaths() {
  for (const auto& known : perfect_) delete known.load();
}

KnownPaths* AdapterPaths::perfect(const IdTable& known) {
  for (auto& place : perfect_) {
    if (KnownPaths* paths = place.load()) {
      if (paths->lookup.known().is(known)) return paths;
      continue;
    }
    auto made = std::make_unique<KnownPaths>(known);
    place.store(made.get());
    return made.release();
  }
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more than eight tables of adapters in one ORB");
}

// Reuses tables of destroyed adapters, so the number of tables stays at the maximum ever in use. Beyond
// most_servants, tables are not kept, and their adapters are found in layers.
std::shared_ptr<KnownServants> AdapterPaths::servants_by(const IdTable& known) {
  for (const auto& servants : servants_)
    if (servants.use_count() == 1 && servants->lookup.known().is(known)) return servants;
  auto made = std::make_shared<KnownServants>(known);
  if (servants_.size() < most_servants) servants_.push_back(made);
  return made;
}

IdLookup* AdapterPaths::chosen(const PolicySet& policies) {
  switch (policies.lookup.adapter) {
    case Lookup::linear:
      return &linear_;
    case Lookup::dynamic:
      return &dynamic_;
    case Lookup::perfect:
      return &perfect(policies.lookup.adapters)->lookup;
    case Lookup::active:
    case Lookup::delayered:
      break;
  }
  return nullptr;
}

void AdapterPaths::insert(const PolicySet& policies, std::string_view path, std::uint32_t slot,
                          const KnownServants* servants) {
  IdLookup* lookup = chosen(policies);
  if (!lookup) return;
  if (!lookup->admits(bytes_of(path)))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "the table of adapters in the POA's look-up policy does not have this POA's path; add it "
        "to the list that the table is made of");
  lookup->insert(bytes_of(path), slot);
  const bool stay = std::ranges::any_of(servants_, [&](const auto& kept) { return kept.get() == servants; });
  lead(policies, path, stay ? servants : nullptr);
  if (policies.persistent() && lookup != &dynamic_) dynamic_.insert(bytes_of(path), slot);
}

void AdapterPaths::erase(const PolicySet& policies, std::string_view path, std::uint32_t slot) {
  IdLookup* lookup = chosen(policies);
  if (!lookup) return;
  lead(policies, path, nullptr);
  lookup->erase(bytes_of(path), slot);
  if (policies.persistent() && lookup != &dynamic_) dynamic_.erase(bytes_of(path), slot);
}

void AdapterPaths::lead(const PolicySet& policies, std::string_view path, const KnownServants* servants) {
  if (policies.lookup.adapter != Lookup::perfect || policies.persistent()) return;
  perfect(policies.lookup.adapters)->lead(bytes_of(path), servants);
}

}  // namespace takt::adapter
