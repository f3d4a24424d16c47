// In the IDL to C++ mapping: makes every kind of call to a catalogue, and is called back by it.
#include <iostream>
#include <string>

#include <omniORB4/Naming.hh>

#include "stock.hh"

class Listener_i : public virtual POA_Stock::Listener, public virtual PortableServer::RefCountServantBase {
 public:
  void changed(const Stock::Article& what) { std::cout << "changed: " << what.name << std::endl; }
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContext_var naming = CosNaming::NamingContext::_narrow(object);
    CosNaming::Name name;
    name.length(1);
    name[0].id = CORBA::string_dup("catalogue");
    object = naming->resolve(name);
    Stock::Catalogue_var catalogue = Stock::Catalogue::_narrow(object);
    if (CORBA::is_nil(catalogue)) {
      std::cerr << "no catalogue" << std::endl;
      return 1;
    }

    object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    PortableServer::Servant_var<Listener_i> servant = new Listener_i;
    Stock::Listener_var listener = servant->_this();
    catalogue->subscribe(listener);

    Stock::Article cloth;
    cloth.name = CORBA::string_dup("cloth");
    cloth.sold_by = Stock::metre;
    cloth.price = 4.5;
    cloth.picture.length(3);
    for (CORBA::ULong i = 0; i < cloth.picture.length(); ++i) cloth.picture[i] = i;
    CORBA::ULong size = 0;
    catalogue->put(cloth, size);
    std::cout << "size: " << size << std::endl;

    catalogue->currency("EUR");
    CORBA::String_var title = catalogue->title();
    CORBA::String_var currency = catalogue->currency();
    std::cout << title << " in " << currency << std::endl;

    Stock::Articles_var all = catalogue->all();
    for (CORBA::ULong i = 0; i < all->length(); ++i)
      std::cout << all[i].name << " " << all[i].price << " " << all[i].picture.length() << std::endl;

    CORBA::Any_var property = catalogue->property("first");
    const Stock::Article* first;
    if (property.in() >>= first) std::cout << "first: " << first->name << std::endl;
    try {
      Stock::Article_var silk = catalogue->find("silk");
    } catch (const Stock::Unknown& unknown) {
      std::cout << "unknown: " << unknown.name << std::endl;
    }
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure._name() << std::endl;
    return 1;
  }
  return 0;
}
