// Adapters that are found by their path.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "adapter/lookup/dynamic_lookup.h"
#include "adapter/lookup/linear_lookup.h"
#include "adapter/lookup/perfect_lookup.h"
#include "adapter/policy_set.h"

namespace takt::adapter {

// Which slot of the adapter's table has the adapter of a path; as for IdLookup, whoever asks looks whether it
// does. Persistent adapters can be found by hashing whatever their strategy, so that keys of a process that
// was configured otherwise lead there still. find() from any thread; the rest with the adapter's mutex held.
class AdapterPaths {
 public:
  // Throws BAD_PARAM for a path that the table of a perfect look-up does not have, IMP_LIMIT for the ninth
  // table.
  void insert(const PolicySet& policies, std::string_view path, std::uint32_t slot);
  void erase(const PolicySet& policies, std::string_view path, std::uint32_t slot);
  template <class Accepts>  // bool(std::uint32_t slot)
  bool find(Lookup strategy, ByteView path, Accepts accepts) const {
    if (strategy == Lookup::dynamic) return dynamic_.find(path, IdLookup::no_hint, accepts);
    if (strategy == Lookup::linear) return linear_.find(path, IdLookup::no_hint, accepts);
    for (const auto& known : perfect_) {
      const PerfectLookup* lookup = known.load();
      if (!lookup) return false;
      if (lookup->find(path, IdLookup::no_hint, accepts)) return true;
    }
    return false;
  }

  // Perfectly, in the first table: the slot that may have the path; no_hint: none has.
  std::uint32_t slot_of(ByteView path) const {
    const PerfectLookup* lookup = perfect_[0].load();
    return lookup ? lookup->slot_of(path) : IdLookup::no_hint;
  }

  AdapterPaths() = default;
  AdapterPaths(const AdapterPaths&) = delete;
  AdapterPaths& operator=(const AdapterPaths&) = delete;
  ~AdapterPaths();

 private:
  // Null: found by its slot.
  IdLookup* chosen(const PolicySet& policies);
  PerfectLookup* perfect(const IdTable& known);

  LinearLookup linear_;
  DynamicLookup dynamic_;
  std::array<std::atomic<PerfectLookup*>, 8> perfect_{};  // in the order of their coming; they stay
};

}  // namespace takt::adapter
