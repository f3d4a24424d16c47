// The ObjectReferenceTemplate of an adapter.
#pragma once

#include <memory>
#include <string>

#include <takt/interceptors/ior_interceptor.h>

#include "adapter/poa/poa_core.h"

namespace takt::interceptors {

class AdapterTemplate final : public PortableInterceptor::ObjectReferenceTemplate {
 public:
  AdapterTemplate(const adapter::PoaCore& poa, std::string orb_id, std::string server_id);

  CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                     const PortableServer::ObjectId& id) override;
  std::string server_id() override { return server_id_; }
  std::string orb_id() override { return orb_id_; }
  PortableInterceptor::AdapterName adapter_name() override { return name_; }

  void _write_state(cdr::Encoder& encoder) const override;
  bool _read_state(cdr::Decoder& decoder) override;

 private:
  const std::weak_ptr<const adapter::PoaCore> poa_;
  const std::string orb_id_, server_id_;
  const PortableInterceptor::AdapterName name_;
};

}  // namespace takt::interceptors
