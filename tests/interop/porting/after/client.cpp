// The same program in the IDL to C++11 mapping.
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "CosNamingC.h"
#include "stockS.h"

class Listener final : public virtual CORBA::servant_traits<Stock::Listener>::base_type {
 public:
  void changed(const Stock::Article& what) override { std::cout << "changed: " << what.name() << std::endl; }
};

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto naming =
        IDL::traits<CosNaming::NamingContext>::narrow(orb->resolve_initial_references("NameService"));
    auto catalogue = IDL::traits<Stock::Catalogue>::narrow(naming->resolve({{"catalogue", ""}}));
    if (!catalogue) {
      std::cerr << "no catalogue" << std::endl;
      return 1;
    }

    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    auto servant = CORBA::make_reference<Listener>();
    catalogue->subscribe(servant->_this());

    Stock::Article cloth;
    cloth.name("cloth");
    cloth.sold_by(Stock::Unit::metre);
    cloth.price(4.5);
    cloth.picture({0, 1, 2});
    std::uint32_t size = 0;
    catalogue->put(cloth, size);
    std::cout << "size: " << size << std::endl;

    catalogue->currency("EUR");
    std::cout << catalogue->title() << " in " << catalogue->currency() << std::endl;

    for (const auto& article : catalogue->all())
      std::cout << article.name() << " " << article.price() << " " << article.picture().size() << std::endl;

    CORBA::Any property = catalogue->property("first");
    Stock::Article first;
    if (property >>= first) std::cout << "first: " << first.name() << std::endl;
    try {
      Stock::Article silk = catalogue->find("silk");
    } catch (const Stock::Unknown& unknown) {
      std::cout << "unknown: " << unknown.name() << std::endl;
    }
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << std::endl;
    return 1;
  }
  return 0;
}
