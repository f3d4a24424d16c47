// Runs the initializers of a new ORB.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/interceptors/interceptors.h>
#include <takt/reference/object.h>
#include <takt/reference/policy.h>

#include "adapter/poa/adapter_tree.h"
#include "client/client.h"
#include "reference/policies/policy_maker.h"
#include "reference/references.h"
#include "server/pipeline/pipeline.h"

namespace takt::interceptors {

// The new ORB. Its parts outlive the interceptors.
struct NewOrb {
  using Reference = CORBA::object_reference<CORBA::Object>;

  std::vector<std::string> arguments;
  std::string id;
  std::string server_id;
  reference::References& references;
  client::Client& client;
  adapter::AdapterTree& adapters;
  server::Pipeline& pipeline;
  cdr::Environment* environment;
  std::function<Reference(const std::string& name)> resolve;
  std::function<bool(const std::string& name, Reference object)> add_initial_reference;  // false: it is taken
};

// The interceptors of an ORB. Lives as long as its parts. Its destroy() calls that of all interceptors.
class InstalledInterceptors : public reference::PolicyMaker {
 public:
  virtual ~InstalledInterceptors() = default;
  // The initial reference PICurrent.
  virtual CORBA::object_reference<CORBA::Object> current() const = 0;
};

// For ORBs that are made later. Any thread.
void add_initializer(CORBA::object_reference<PortableInterceptor::ORBInitializer> initializer);
// Call before the ORB serves, in the thread of ORB_init. Null if there is no initializer. Throws what makes
// ORB_init fail.
std::shared_ptr<InstalledInterceptors> run_initializers(const NewOrb& orb);

}  // namespace takt::interceptors
