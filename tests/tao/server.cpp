// A server as TAO's users write them: a child POA with policies, a tie servant, plain keys, the naming
// service, a file with its reference.
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <orbsvcs/CosNamingC.h>
#include <tao/IORTable/IORTable.h>
#include <tao/PortableServer/PortableServer.h>
#include <tao/Version.h>

#include "StockS.h"
#include "StockS_T.h"

#if defined(WITH_ACE)
#include <ace/Get_Opt.h>
#include <ace/Log_Msg.h>
#include <ace/OS_NS_unistd.h>
#include <ace/Task.h>
#endif

#if TAO_MAJOR_VERSION < 2
#error "the version is that of TAO 2"
#endif

class Stock_Quoter_i : public virtual POA_Stock::Quoter {
 public:
  Stock_Quoter_i(CORBA::ORB_ptr orb, const char* name)
      : orb_(CORBA::ORB::_duplicate(orb)), name_(CORBA::string_dup(name)) {
    prices_["RHAT"] = 12.5;
    prices_["MSFT"] = 91;
  }

  virtual char* name(void) { return CORBA::string_dup(this->name_.in()); }

  virtual CORBA::Double get_quote(const char* symbol) {
    std::map<std::string, CORBA::Double>::const_iterator found = this->prices_.find(symbol);
    if (found == this->prices_.end()) throw Stock::Invalid_Symbol(symbol);
    return found->second;
  }

  virtual ::Stock::Prices* all(void) {
    ::Stock::Prices_var prices;
    ACE_NEW_RETURN_PRICES(prices);
    CORBA::ULong i = 0;
    for (std::map<std::string, CORBA::Double>::const_iterator each = this->prices_.begin();
         each != this->prices_.end(); ++each, ++i) {
      prices[i].symbol = CORBA::string_dup(each->first.c_str());
      prices[i].value = each->second;
    }
    return prices._retn();
  }

  virtual void both(const ::Stock::Price& first, ::Stock::Prices& changed, ::Stock::Octets_out more) {
    const CORBA::ULong length = changed.length();
    changed.length(length + 1);
    changed[length] = first;
    more = new ::Stock::Octets(3);
    more->length(3);
    CORBA::Octet* buffer = more->get_buffer();
    for (CORBA::Octet i = 0; i != 3; ++i) buffer[i] = i;
  }

  virtual CORBA::Any* boxed(const CORBA::Any& it) {
    CORBA::TypeCode_var type = it.type();
    if (type->kind() == CORBA::tk_value) return new CORBA::Any(it);
    CORBA::Any_var answer = new CORBA::Any;
    const Stock::Price* price = 0;
    if (it >>= price)
      answer <<= price->value;
    else
      answer <<= CORBA::Any::from_boolean(false);
    return answer._retn();
  }

  virtual void shutdown(void) { this->orb_->shutdown(false); }

 private:
  void ACE_NEW_RETURN_PRICES(::Stock::Prices_var& prices) {
    prices = new ::Stock::Prices(static_cast<CORBA::ULong>(this->prices_.size()));
    prices->length(static_cast<CORBA::ULong>(this->prices_.size()));
  }

  CORBA::ORB_var orb_;
  CORBA::String_var name_;
  std::map<std::string, CORBA::Double> prices_;
};

// Has the operations of the factory; a tie makes it a servant.
class Factory_Impl {
 public:
  explicit Factory_Impl(PortableServer::POA_ptr poa) : poa_(PortableServer::POA::_duplicate(poa)) {}
  Stock::Quoter_ptr get(const char* name) {
    PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId(name);
    CORBA::Object_var object = this->poa_->id_to_reference(oid.in());
    return Stock::Quoter::_narrow(object.in());
  }

 private:
  PortableServer::POA_var poa_;
};

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "stock");
    if (argc != 2) {
      std::cerr << "usage: " << argv[0] << " REFERENCE-FILE\n";
      return 1;
    }
    CORBA::Object_var poa_object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root_poa = PortableServer::POA::_narrow(poa_object.in());
    if (CORBA::is_nil(root_poa.in())) return 1;
    PortableServer::POAManager_var poa_manager = root_poa->the_POAManager();

    CORBA::PolicyList policies(2);
    policies.length(2);
    policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POA_var child = root_poa->create_POA("quoters", poa_manager.in(), policies);
    for (CORBA::ULong i = 0; i != policies.length(); ++i) policies[i]->destroy();

    PortableServer::Servant_var<Stock_Quoter_i> quoter = new Stock_Quoter_i(orb.in(), "NYSE");
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("NYSE");
    child->activate_object_with_id(id.in(), quoter.in());

    Factory_Impl factory(child.in());
    PortableServer::ServantBase_var tie = new POA_Stock::Factories_tie<Factory_Impl>(factory);
    PortableServer::ObjectId_var factory_id = root_poa->activate_object(tie.in());
    CORBA::Object_var factory_object = root_poa->id_to_reference(factory_id.in());
    CORBA::String_var ior = orb->object_to_string(factory_object.in());

    CORBA::Object_var table_object = orb->resolve_initial_references("IORTable");
    IORTable::Table_var table = IORTable::Table::_narrow(table_object.in());
    table->bind("Stock_Factory", ior.in());

    CORBA::Object_var naming_object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContext_var naming = CosNaming::NamingContext::_narrow(naming_object.in());
    CosNaming::Name name(1);
    name.length(1);
    name[0].id = CORBA::string_dup("Stock_Factory");
    naming->rebind(name, factory_object.in());

    std::ofstream(argv[1]) << ior.in() << std::endl;
    poa_manager->activate();
    orb->run();
    root_poa->destroy(true, true);
    orb->destroy();
  } catch (const CORBA::Exception& ex) {
    ex._tao_print_exception("server");
    return 1;
  }
  return 0;
}
