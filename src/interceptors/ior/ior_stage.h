// Runs the IOR interceptors of one ORB, lets its adapters keep policies of registered types, and keeps what
// interceptors of requests ask of adapters that end.
#pragma once

#include <atomic>
#include <memory>

#include "adapter/policies/adapter_watcher.h"
#include "interceptors/common/orb_interceptors.h"

namespace takt::interceptors {

struct AdapterForm;

class IorStage final : public adapter::AdapterWatcher {
 public:
  // `orb` must outlive it.
  explicit IorStage(OrbInterceptors& orb) : orb_(orb) {}

  // The interceptors are being destroyed: they have no more points.
  void end() { ended_ = true; }

  bool keeps(CORBA::Policy& policy) const override;
  std::shared_ptr<const void> begin(const adapter::PoaCore& poa) override;
  std::shared_ptr<reference::ObjectRef> publish(const adapter::PoaCore& poa,
                                                std::shared_ptr<reference::ObjectRef> made,
                                                ByteView key) const override;
  void ends(adapter::PoaCore& poa) noexcept override;
  void ended(const adapter::PoaCore& poa) noexcept override;
  void changed(const adapter::ManagerCore& manager, PortableServer::POAManager::State to) noexcept override;

 private:
  bool may_intercept_requests() const { return orb_.initializing || !orb_.servers.empty(); }
  void keep_end_of(const adapter::PoaCore& poa);
  void establish(const adapter::PoaCore& poa, AdapterForm& form);

  OrbInterceptors& orb_;
  std::atomic<bool> ended_{false};
};

}  // namespace takt::interceptors
