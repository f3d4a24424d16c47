// Servants of the classic mapping in the runtime's adapters.
#pragma once

#include <takt/adapter/servant.h>
#include <takt/classic/dispatch.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

// Stands for one servant of the application's in the runtime, and holds a reference of it. It lives as long
// as an adapter or an upcall needs it; the next activation makes another.
class ServantHost : public PortableServer::Servant {
 public:
  ~ServantHost() override;
  classic::Servant& servant() const { return servant_; }

  bool _dispatch(server::ServerCall& call) override;
  bool _dispatch_searching(server::ServerCall& call, adapter::OperationSearch search) override;
  bool _dispatch_local(const OperationId& operation, void* arguments) override;
  bool _is_a(const std::string& repository_id) override;
  bool _non_existent() override;
  std::string _repository_id() override;
  std::string _repository_id_of(const PortableServer::ObjectId& id,
                                const CORBA::object_reference<PortableServer::POA>& poa) override;
  CORBA::object_reference<PortableServer::POA> _default_POA() override;
  Reference* this_reference();

 protected:
  explicit ServantHost(classic::Servant& servant);

 private:
  // `notes`: the call notes the operation that was found.
  template <bool notes>
  bool dispatch(server::ServerCall& call);

  classic::Servant& servant_;
  ServantLink& link_;  // outlives a servant that its manager deletes
};

// The servant's host; made if it has none.
CORBA::servant_reference<ServantHost> host_of(classic::Servant& servant);
// Null if neither an adapter nor an upcall needs the servant. Any thread.
CORBA::servant_reference<ServantHost> present_host_of(classic::Servant& servant);

}  // namespace takt::classic
