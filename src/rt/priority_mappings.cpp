#include "rt/priority_mappings.h"

#include <algorithm>
#include <vector>

namespace takt::rt {

using RTCORBA::NativePriority;
using RTCORBA::Priority;

namespace {

class Bounded : public RTCORBA::PriorityMapping {
 public:
  explicit Bounded(const os::NativePriorities& range) : range_(range) {}

 protected:
  bool has(int native) const { return native >= range_.lowest && native <= range_.highest; }
  int lowest() const { return range_.lowest; }
  int width() const { return range_.highest - range_.lowest; }

 private:
  const os::NativePriorities range_;
};

class Linear final : public Bounded {
 public:
  using Bounded::Bounded;
  bool to_native(Priority priority, NativePriority& native) const override {
    if (priority < 0) return false;
    native = static_cast<NativePriority>(lowest() + width() * priority / RTCORBA::maxPriority);
    return true;
  }
  // The lowest CORBA priority that maps to it.
  bool to_CORBA(NativePriority native, Priority& priority) const override {
    if (!has(native)) return false;
    const int steps = native - lowest();
    priority =
        static_cast<Priority>(width() == 0 ? 0 : (steps * RTCORBA::maxPriority + width() - 1) / width());
    return true;
  }
};

class Direct final : public Bounded {
 public:
  using Bounded::Bounded;
  bool to_native(Priority priority, NativePriority& native) const override {
    native = priority;
    return has(priority);
  }
  bool to_CORBA(NativePriority native, Priority& priority) const override {
    priority = native;
    return has(native);
  }
};

class Continuous final : public Bounded {
 public:
  using Bounded::Bounded;
  bool to_native(Priority priority, NativePriority& native) const override {
    native = static_cast<NativePriority>(lowest() + priority);
    return priority >= 0 && has(lowest() + priority);
  }
  bool to_CORBA(NativePriority native, Priority& priority) const override {
    priority = static_cast<Priority>(native - lowest());
    return has(native);
  }
};

std::string_view name_of(PriorityMapping choice) {
  if (choice == PriorityMapping::direct) return "direct";
  if (choice == PriorityMapping::continuous) return "continuous";
  return "linear";
}

}  // namespace

std::shared_ptr<const RTCORBA::PriorityMapping> make_priority_mapping(PriorityMapping choice,
                                                                      const os::NativePriorities& range) {
  if (choice == PriorityMapping::direct) return std::make_shared<Direct>(range);
  if (choice == PriorityMapping::continuous) return std::make_shared<Continuous>(range);
  return std::make_shared<Linear>(range);
}

ChosenMapping choose_mapping(PriorityMapping choice, const os::NativePriorities& range) {
  ChosenMapping chosen{.name = name_of(choice), .mapping = make_priority_mapping(choice, range)};
  if (choice == PriorityMapping::automatic) chosen.for_schedules = std::make_shared<Direct>(range);
  return chosen;
}

std::optional<SharedNative> shared_native(std::span<const PriorityUse> uses,
                                          const RTCORBA::PriorityMapping& mapping) {
  std::vector<PriorityUse> sorted(uses.begin(), uses.end());
  std::ranges::stable_sort(sorted, {}, &PriorityUse::priority);
  std::optional<PriorityUse> last;
  NativePriority last_native = 0;
  for (const PriorityUse& use : sorted) {
    NativePriority native = 0;
    if (!mapping.to_native(use.priority, native)) continue;
    if (last && last->priority != use.priority && last_native == native)
      return SharedNative{*last, use, native};
    last = use;
    last_native = native;
  }
  return std::nullopt;
}

std::string text_of(const SharedNative& shared, std::string_view mapping) {
  const auto one = [](const PriorityUse& use) {
    return std::to_string(use.priority).append(" (").append(use.user).append(")");
  };
  return "priorities " + one(shared.lower) + " and " + one(shared.higher) + " are both native priority " +
         std::to_string(shared.native) + " by the priority mapping " + std::string(mapping);
}

}  // namespace takt::rt
