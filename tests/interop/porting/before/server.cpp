// In the IDL to C++ mapping, as of omniORB, TAO and others: a catalogue, registered in a naming service.
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <omniORB4/Naming.hh>

#include "stock.hh"

class Catalogue_i : public virtual POA_Stock::Catalogue, public virtual PortableServer::RefCountServantBase {
 public:
  char* title() { return CORBA::string_dup("Spring"); }
  char* currency() { return CORBA::string_dup(currency_); }
  void currency(const char* name) { currency_ = name; }

  Stock::Article* find(const char* name) {
    std::map<std::string, Stock::Article>::iterator found = articles_.find(name);
    if (found == articles_.end()) throw Stock::Unknown(name);
    return new Stock::Article(found->second);
  }
  void put(const Stock::Article& what, CORBA::ULong& size) {
    articles_[what.name.in()] = what;
    size = articles_.size();
    for (size_t i = 0; i < listeners_.size(); ++i) listeners_[i]->changed(what);
  }
  Stock::Articles* all() {
    Stock::Articles_var list = new Stock::Articles;
    list->length(articles_.size());
    std::map<std::string, Stock::Article>::iterator at = articles_.begin();
    for (CORBA::ULong i = 0; at != articles_.end(); ++at) list[i++] = at->second;
    return list._retn();
  }
  CORBA::Any* property(const char* name) {
    CORBA::Any_var value = new CORBA::Any;
    if (std::string(name) == "size")
      value.inout() <<= CORBA::ULong(articles_.size());
    else
      value.inout() <<= articles_.begin()->second;
    return value._retn();
  }
  void subscribe(Stock::Listener_ptr who) { listeners_.push_back(Stock::Listener::_duplicate(who)); }

 private:
  CORBA::String_var currency_;
  std::map<std::string, Stock::Article> articles_;
  std::vector<Stock::Listener_var> listeners_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();

    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POA_var poa = root->create_POA("catalogues", manager, policies);

    PortableServer::Servant_var<Catalogue_i> servant = new Catalogue_i;
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("spring");
    poa->activate_object_with_id(id, servant);
    CORBA::Object_var reference = poa->id_to_reference(id);

    object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContext_var naming = CosNaming::NamingContext::_narrow(object);
    CosNaming::Name name;
    name.length(1);
    name[0].id = CORBA::string_dup("catalogue");
    naming->rebind(name, reference);

    manager->activate();
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure._name() << std::endl;
    return 1;
  }
  return 0;
}
