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

class LinearMapping final : public Bounded {
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

class DirectMapping final : public Bounded {
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

class ContinuousMapping final : public Bounded {
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
  if (choice == PriorityMapping::direct) return std::make_shared<DirectMapping>(range);
  if (choice == PriorityMapping::continuous) return std::make_shared<ContinuousMapping>(range);
  return std::make_shared<LinearMapping>(range);
}

ChosenMapping choose_mapping(PriorityMapping choice, const os::NativePriorities& range) {
  ChosenMapping chosen{.name = name_of(choice), .mapping = make_priority_mapping(choice, range)};
  if (choice == PriorityMapping::automatic) chosen.for_schedules = std::make_shared<DirectMapping>(range);
  return chosen;
}

// There are few native priorities, so each use looks for its own among those so far.
std::optional<SharedNative> shared_native(std::span<const PriorityUse> uses,
                                          const RTCORBA::PriorityMapping& mapping) {
  std::vector<SharedNative> by_native;  // lower and higher are the same use where there is one only
  for (const PriorityUse& use : uses) {
    NativePriority native = 0;
    if (!mapping.to_native(use.priority, native)) continue;
    const auto found = std::ranges::find(by_native, native, &SharedNative::native);
    if (found == by_native.end()) {
      by_native.push_back({use, use, native});
      continue;
    }
    const bool is_alone = found->lower.priority == found->higher.priority;
    if (use.priority < found->lower.priority) {
      found->higher = found->lower;
      found->lower = use;
    } else if (use.priority > found->lower.priority && (is_alone || use.priority < found->higher.priority)) {
      found->higher = use;
    }
  }
  const SharedNative* lowest = nullptr;
  for (const SharedNative& one : by_native)
    if (one.lower.priority != one.higher.priority && (!lowest || one.lower.priority < lowest->lower.priority))
      lowest = &one;
  return lowest ? std::optional(*lowest) : std::nullopt;
}

std::string text_of(const SharedNative& shared, std::string_view mapping) {
  std::string text = "priorities ";
  const auto add = [&](const PriorityUse& use, const char* then) {
    text.append(std::to_string(use.priority)).append(" (").append(use.user).append(then);
  };
  add(shared.lower, ") and ");
  add(shared.higher, ") are both native priority ");
  return text.append(std::to_string(shared.native)).append(" by the priority mapping ").append(mapping);
}

}  // namespace takt::rt
