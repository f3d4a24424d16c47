// Real-time support of an ORB: priorities of threads, thread pools, and adapters' RT policies.
#pragma once

#include <memory>
#include <utility>

#include "adapter/policies/extension.h"
#include "rt/orb_threadpools.h"
#include "rt/thread_priorities.h"

namespace takt::rt {

// One per ORB; any thread. Adapters ask it for the effects of their RT policies.
class RealTime final : public adapter::AdapterExtension {
 public:
  RealTime(os::SchedulingClass scheduling_class, ChosenMapping mapping, const ThreadPriorities::Warn& warn)
      : priorities_(std::make_shared<ThreadPriorities>(scheduling_class, std::move(mapping), warn)),
        pools_(priorities_, warn) {}

  const std::shared_ptr<ThreadPriorities>& priorities() const { return priorities_; }
  OrbThreadpools& pools() { return pools_; }

  bool knows(CORBA::Policy& policy) const override;
  std::shared_ptr<adapter::PoaExtension> extend(const CORBA::PolicyList& policies) override;

 private:
  const std::shared_ptr<ThreadPriorities> priorities_;
  OrbThreadpools pools_;
};

}  // namespace takt::rt
