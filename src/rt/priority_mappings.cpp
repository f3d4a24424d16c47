#include "rt/priority_mappings.h"

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
  // The lowest priority that leads to it.
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

}  // namespace

std::shared_ptr<const RTCORBA::PriorityMapping> make_priority_mapping(PriorityMapping mapping,
                                                                      const os::NativePriorities& range) {
  if (mapping == PriorityMapping::direct) return std::make_shared<Direct>(range);
  if (mapping == PriorityMapping::continuous) return std::make_shared<Continuous>(range);
  return std::make_shared<Linear>(range);
}

}  // namespace takt::rt
