// The ORBInitInfo of a new ORB.
#pragma once

#include <takt/interceptors/interceptors.h>

#include "interceptors/common/orb_interceptors.h"
#include "interceptors/init/initializers.h"

namespace takt::interceptors {

class InitInfo final : public PortableInterceptor::ORBInitInfo_3_1 {
 public:
  using Client = CORBA::object_reference<PortableInterceptor::ClientRequestInterceptor>;
  using Ior = CORBA::object_reference<PortableInterceptor::IORInterceptor>;
  using Server = CORBA::object_reference<PortableInterceptor::ServerRequestInterceptor>;

  // Both must outlive end().
  InitInfo(const NewOrb& orb, OrbInterceptors& interceptors) : orb_(&orb), interceptors_(&interceptors) {}

  // post_init begins.
  void allow_resolving() { may_resolve_ = true; }
  // The initializers have run.
  void end() { orb_ = nullptr; }

  std::vector<std::string> arguments() override { return orb().arguments; }
  std::string orb_id() override { return orb().id; }
  CORBA::object_reference<IOP::CodecFactory> codec_factory() override;
  void register_initial_reference(const std::string& id,
                                  CORBA::object_reference<CORBA::Object> object) override;
  CORBA::object_reference<CORBA::Object> resolve_initial_references(const std::string& id) override;
  void add_client_request_interceptor(Client interceptor) override;
  void add_server_request_interceptor(Server interceptor) override;
  void add_client_request_interceptor_with_policy(Client interceptor,
                                                  const CORBA::PolicyList& policies) override;
  void add_server_request_interceptor_with_policy(Server interceptor,
                                                  const CORBA::PolicyList& policies) override;
  void add_ior_interceptor(Ior interceptor) override;
  void add_ior_interceptor_with_policy(Ior interceptor, const CORBA::PolicyList& policies) override;
  PortableInterceptor::SlotId allocate_slot_id() override;
  void register_policy_factory(CORBA::PolicyType type,
                               CORBA::object_reference<PortableInterceptor::PolicyFactory> factory) override;

 private:
  // Throws OBJECT_NOT_EXIST after end().
  const NewOrb& orb() const;

  const NewOrb* orb_;
  OrbInterceptors* const interceptors_;
  bool may_resolve_ = false;
};

}  // namespace takt::interceptors
