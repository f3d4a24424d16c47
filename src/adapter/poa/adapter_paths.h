// Look-up of adapters by path.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "adapter/policies/policy_set.h"
#include "lookup/dynamic_lookup.h"
#include "lookup/linear_lookup.h"
#include "lookup/perfect_lookup.h"

namespace takt::adapter {

struct ActiveObject;
using KnownServants = KnownTable<ActiveObject>;
using KnownPaths = KnownTable<const KnownServants>;

// Offers the slots of adapters for a path; as with IdLookup, the caller checks each. Persistent adapters can
// always be found by hashing, so keys stay valid if another process configures another strategy. find() may
// be called from any thread; the other functions need the table's mutex.
class AdapterPaths {
 public:
  // `servants`: the adapter's perfect table of servants; else null. Throws BAD_PARAM if a perfect look-up
  // does not contain the path, IMP_LIMIT for the ninth table.
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

  // A table of servants that no adapter uses.
  std::shared_ptr<KnownServants> servants_by(const IdTable& known);
  // The first table of paths; null if there is none. It leads to tables of servants. The first most_servants
  // of these are never freed, because a reader does not enter the adapter first.
  const KnownPaths* known_paths() const { return perfect_[0].load(); }

  AdapterPaths() = default;
  AdapterPaths(const AdapterPaths&) = delete;
  AdapterPaths& operator=(const AdapterPaths&) = delete;
  ~AdapterPaths();

 private:
  static constexpr std::size_t most_servants = 256;

  // Null if the adapter is found by its slot.
  IdLookup* chosen(const PolicySet& policies);
  KnownPaths* perfect(const IdTable& known);
  void lead(const PolicySet& policies, std::string_view path, const KnownServants* servants);

  LinearLookup linear_;
  DynamicLookup dynamic_;
  std::array<std::atomic<KnownPaths*>, 8> perfect_{};     // in order of creation; never freed
  std::vector<std::shared_ptr<KnownServants>> servants_;  // never freed
};

}  // namespace takt::adapter
