#include <omniORB4/omniORB.h>
#include <takt/classic/ior_table.h>
#include <takt/classic/poa.h>

namespace takt {
namespace omniorb {

namespace {

const char adapter_name[] = "omniINSPOA";

// The adapter's objects by keys that are their ids; there are none while there is no adapter.
class Locator final : public virtual IORTable::Locator {
 public:
  Locator(CORBA::ORB_ptr orb, PortableServer::POA_ptr root)
      : orb_(CORBA::ORB::_duplicate(orb)), root_(PortableServer::POA::_duplicate(root)) {}
  char* locate(const char* key) override try {
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(key);
    const PortableServer::POA_var adapter = root_->find_POA(adapter_name, false);
    const CORBA::Object_var object = adapter->id_to_reference(id.in());
    return orb_->object_to_string(object.in());
  } catch (const CORBA::Exception&) {
    throw IORTable::NotFound();
  }

 private:
  const CORBA::ORB_var orb_;
  const PortableServer::POA_var root_;
};

// The locator comes first, so that the keys of an adapter that other threads find are known.
PortableServer::POA_ptr new_adapter(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  const CORBA::Object_var object = orb->resolve_initial_references("IORTable");
  const IORTable::Table_var table = IORTable::Table::_narrow(object.in());
  const IORTable::Locator_var locator = new Locator(orb, root);
  table->set_locator(locator.in());
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  return root->create_POA(adapter_name, PortableServer::POAManager::_nil(), policies);
}

}  // namespace

CORBA::Object_ptr find_ins_poa(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  for (;;) try {
      return root->find_POA(adapter_name, false);
    } catch (const PortableServer::POA::AdapterNonExistent&) {
      try {
        return new_adapter(orb, root.in());
      } catch (const PortableServer::POA::AdapterAlreadyExists&) {  // another thread has made it
      }
    }
}

}  // namespace omniorb
}  // namespace takt
