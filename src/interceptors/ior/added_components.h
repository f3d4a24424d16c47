// Components that interceptors add to the references of one adapter.
#pragma once

#include <memory>
#include <vector>

#include <takt/interceptors/ior_interceptor.h>

#include "reference/object_ref.h"

namespace takt::interceptors {

struct AddedComponents {
  struct InProfile {
    IOP::ProfileId profile;
    IOP::TaggedComponent component;
  };
  std::vector<IOP::TaggedComponent> in_all;
  std::vector<InProfile> in_some;

  bool empty() const { return in_all.empty() && in_some.empty(); }
};

// How an adapter makes its references, and whether requests in it keep it.
struct AdapterForm {
  AddedComponents components;
  CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory>
      factory;  // null: the adapter itself
  // It was created before requests kept their adapters (OrbInterceptors::shows_adapters).
  bool not_kept_by_requests = false;
};

// A reference like `made`, to an object of this ORB, with the components.
std::shared_ptr<reference::ObjectRef> with_components(const reference::ObjectRef& made,
                                                      const AddedComponents& added);

}  // namespace takt::interceptors
