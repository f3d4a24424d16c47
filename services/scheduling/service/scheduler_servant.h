// The Scheduling Service as a CORBA object.
#pragma once

#include <memory>
#include <mutex>

#include "RT_SchedulerS.h"
#include "scheduling/scheduler.h"
#include "scheduling/service/store.h"

namespace takt::scheduling {

// Thread-safe; calls are serialised. With a store, registrations are on disk when a call returns. If writing
// fails, the reason is logged on standard error, and every later call that changes something raises
// PERSIST_STORE.
class SchedulerServant final : public virtual CORBA::servant_traits<RT_Scheduler::Scheduler>::base_type {
 public:
  explicit SchedulerServant(takt::scheduling::Scheduler scheduler, std::unique_ptr<Store> store = nullptr)
      : scheduler_(std::move(scheduler)), store_(std::move(store)) {}

  std::int32_t create(const std::string& entry_point) override;
  std::int32_t lookup(const std::string& entry_point) override;
  RT_Scheduler::RT_Info get(std::int32_t handle) override;
  void set(std::int32_t handle, RT_Scheduler::Time time, RT_Scheduler::Time typical_time,
           RT_Scheduler::Time cached_time, RT_Scheduler::Period period, RT_Scheduler::Importance importance,
           RT_Scheduler::Quantum quantum, std::int32_t threads) override;
  void add_dependency(std::int32_t handle, std::int32_t dependency, std::int32_t number_of_calls) override;
  void priority(std::int32_t handle, std::int32_t& priority, std::int32_t& subpriority,
                std::int32_t& p_priority) override;
  void entry_point_priority(const std::string& entry_point, std::int32_t& priority, std::int32_t& subpriority,
                            std::int32_t& p_priority) override;
  void compute_scheduling(std::int32_t minimum_priority, std::int32_t maximum_priority,
                          RT_Scheduler::RT_Info_Set& infos) override;
  void set_criticality(std::int32_t handle, RT_Scheduler::Criticality criticality) override;
  void set_constraints(std::int32_t handle, const RT_Scheduler::Constraints& constraints) override;
  void add_one_way_dependency(std::int32_t handle, std::int32_t dependency,
                              std::int32_t number_of_calls) override;
  std::int32_t operations() override;
  RT_Scheduler::RT_Info_Set all() override;
  std::string report() override;

 private:
  const RtInfo& known(Handle handle) const;
  void change(Handle handle, const Requirements& needs);
  void depend(Handle handle, Handle dependency, std::int64_t calls, DependencyType type);
  void require_store() const;
  void require_written(const std::expected<void, std::string>& written);
  void keep(Handle handle);

  std::mutex mutex_;
  takt::scheduling::Scheduler scheduler_;
  const std::unique_ptr<Store> store_;
  bool store_failed_ = false;
};

}  // namespace takt::scheduling
