// Adapters that are found by their path.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "adapter/lookup/dynamic_lookup.h"
#include "adapter/lookup/linear_lookup.h"
#include "adapter/lookup/perfect_lookup.h"
#include "adapter/policies/policy_set.h"

namespace takt::adapter {

struct ActiveObject;
using KnownServants = KnownTable<ActiveObject>;
using KnownPaths = KnownTable<const KnownServants>;

// Which slot of the adapter's table has the adapter of a path; as for IdLookup, whoever asks looks whether it
// does. Persistent adapters can be found by hashing whatever their strategy, so that keys of a process that
// was configured otherwise lead there still. find() from any thread; the rest with the adapter's mutex held.
class AdapterPaths {
 public:
  // `servants`: where those of the adapter are found by a table; else null. Throws BAD_PARAM for a path that
  // the table of a perfect look-up does not have, IMP_LIMIT for the ninth table.
  void insert(const PolicySet& policies, std::string_view path, std::uint32_t slot,
              const KnownServants* servants);
  void erase(const PolicySet& policies, std::string_view path, std::uint32_t slot);
  template <class Accepts>  // bool(std::uint32_t slot)
  bool find(Lookup strategy, ByteView path, Accepts accepts) const {
    if (strategy == Lookup::dynamic) return dynamic_.find(path, IdLookup::no_hint, accepts);
    if (strategy == Lookup::linear) return linear_.find(path, IdLookup::no_hint, accepts);
    for (const auto& table : perfect_) {
      const KnownPaths* known = table.load();
      if (!known) return false;
      if (known->lookup.find(path, IdLookup::no_hint, accepts)) return true;
    }
    return false;
  }

  // A table of servants that is in use by nobody else.
  std::shared_ptr<KnownServants> servants_by(const IdTable& known);
  // The first table; null: there is none. What it leads to are the tables of adapters that find their
  // servants so, of which the first ones stay, since whoever asks is in no adapter.
  const KnownPaths* known_paths() const { return perfect_[0].load(); }

  AdapterPaths() = default;
  AdapterPaths(const AdapterPaths&) = delete;
  AdapterPaths& operator=(const AdapterPaths&) = delete;
  ~AdapterPaths();

 private:
  static constexpr std::size_t most_servants = 256;

  // Null: found by its slot.
  IdLookup* chosen(const PolicySet& policies);
  KnownPaths* perfect(const IdTable& known);
  void lead(const PolicySet& policies, std::string_view path, const KnownServants* servants);

  LinearLookup linear_;
  DynamicLookup dynamic_;
  std::array<std::atomic<KnownPaths*>, 8> perfect_{};     // in the order of their coming; they stay
  std::vector<std::shared_ptr<KnownServants>> servants_;  // likewise
};

}  // namespace takt::adapter
