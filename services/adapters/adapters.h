// Object adapters of services.
#pragma once

#include <string>

#include <takt/corba.h>

namespace takt {

// An adapter below `root` that keeps no objects, whose ids the service chooses: a servant serves them all.
// Throws as create_POA().
inline CORBA::object_reference<PortableServer::POA> adapter_without_objects(
    PortableServer::POA& root, const std::string& name, PortableServer::LifespanPolicyValue lifespan,
    PortableServer::RequestProcessingPolicyValue finds =
        PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT) {
  using namespace PortableServer;
  return root.create_POA(name, root.the_POAManager(),
                         {root.create_lifespan_policy(lifespan),
                          root.create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                          root.create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
                          root.create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
                          root.create_request_processing_policy(finds)});
}

}  // namespace takt
