// The objects that describe this program's interfaces (-ORBReflection): as much of CORBA::InterfaceDef as
// needs no repository (CORBA 3.0.3, 10.5.23).
#pragma once

#include <memory>
#include <string>

#include <takt/adapter/servant.h>

#include "adapter/poa/adapter_tree.h"
#include "reflection/descriptions.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reflection {

// One servant for all interfaces. The ids of its objects are repository ids. Operations of interface
// repositories that it lacks raise NO_IMPLEMENT. Any thread.
class InterfaceDef final : public virtual PortableServer::Servant {
 public:
  explicit InterfaceDef(std::shared_ptr<const Descriptions> descriptions)
      : descriptions_(std::move(descriptions)) {}

  bool _is_a(const std::string& id) override;
  std::string _repository_id() override;
  bool _non_existent() override;
  bool _dispatch(server::ServerCall& call) override;

 private:
  // Also answers describe_ext_interface.
  void describe_interface(server::ServerCall& call);
  void is_a(server::ServerCall& call);
  // Answers an attribute with a text. False if there is no such attribute.
  bool answer_text(server::ServerCall& call);

  const std::shared_ptr<const Descriptions> descriptions_;
};

// The adapter of these objects, a child of the root POA that is made for the first of them. Any thread.
class InterfaceDefs {
 public:
  // The tree must outlive it.
  InterfaceDefs(adapter::AdapterTree& tree, std::shared_ptr<const Descriptions> descriptions)
      : tree_(tree), descriptions_(std::move(descriptions)) {}

  // Throws INTF_REPOS (OMG minor 2) if no skeleton describes the interface.
  CORBA::object_reference<CORBA::Object> object_for(const std::string& repository_id);

 private:
  CORBA::object_reference<PortableServer::POA> make_poa();

  adapter::AdapterTree& tree_;
  const std::shared_ptr<const Descriptions> descriptions_;
  os::PriorityMutex mutex_;
  CORBA::object_reference<PortableServer::POA> poa_;
};

}  // namespace takt::reflection
