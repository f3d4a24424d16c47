#include "adapter/adapter_paths.h"

#include <takt/cdr/exception.h>

#include "adapter/object_key.h"

namespace takt::adapter {

AdapterPaths::~AdapterPaths() {
  for (const auto& lookup : perfect_) delete lookup.load();
}

PerfectLookup* AdapterPaths::perfect(const IdTable& known) {
  for (auto& place : perfect_) {
    if (PerfectLookup* lookup = place.load()) {
      if (lookup->known().is(known)) return lookup;
      continue;
    }
    auto made = std::make_unique<PerfectLookup>(known);
    place.store(made.get());
    return made.release();
  }
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more than eight tables of adapters in one ORB");
}

IdLookup* AdapterPaths::chosen(const PolicySet& policies) {
  switch (policies.lookup.adapter) {
    case Lookup::linear:
      return &linear_;
    case Lookup::dynamic:
      return &dynamic_;
    case Lookup::perfect:
      return perfect(policies.lookup.adapters);
    case Lookup::active:
    case Lookup::delayered:
      break;
  }
  return nullptr;
}

void AdapterPaths::insert(const PolicySet& policies, std::string_view path, std::uint32_t slot) {
  IdLookup* lookup = chosen(policies);
  if (!lookup) return;
  if (!lookup->admits(bytes_of(path)))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "the table of adapters in the POA's look-up policy does not have this POA's path; add it "
        "to the list that the table is made of");
  lookup->insert(bytes_of(path), slot);
  if (policies.persistent() && lookup != &dynamic_) dynamic_.insert(bytes_of(path), slot);
}

void AdapterPaths::erase(const PolicySet& policies, std::string_view path, std::uint32_t slot) {
  IdLookup* lookup = chosen(policies);
  if (!lookup) return;
  lookup->erase(bytes_of(path), slot);
  if (policies.persistent() && lookup != &dynamic_) dynamic_.erase(bytes_of(path), slot);
}

}  // namespace takt::adapter
