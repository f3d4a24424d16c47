// The initial reference PICurrent.
#pragma once

#include <memory>

#include <takt/interceptors/request_info.h>

#include "interceptors/common/orb_interceptors.h"

namespace takt::interceptors {

class PICurrent final : public PortableInterceptor::Current {
 public:
  explicit PICurrent(std::shared_ptr<const OrbInterceptors> orb) : orb_(std::move(orb)) {}

  CORBA::Any get_slot(PortableInterceptor::SlotId id) override;
  void set_slot(PortableInterceptor::SlotId id, const CORBA::Any& data) override;

 private:
  void check(PortableInterceptor::SlotId id) const;

  const std::shared_ptr<const OrbInterceptors> orb_;
};

}  // namespace takt::interceptors
