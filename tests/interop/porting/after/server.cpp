// The same program in the IDL to C++11 mapping.
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "CosNamingC.h"
#include "stockS.h"

class Catalogue final : public virtual CORBA::servant_traits<Stock::Catalogue>::base_type {
 public:
  std::string title() override { return "Spring"; }
  std::string currency() override { return currency_; }
  void currency(const std::string& name) override { currency_ = name; }

  Stock::Article find(const std::string& name) override {
    const auto found = articles_.find(name);
    if (found == articles_.end()) throw Stock::Unknown(name);
    return found->second;
  }
  void put(const Stock::Article& what, std::uint32_t& size) override {
    articles_[what.name()] = what;
    size = static_cast<std::uint32_t>(articles_.size());
    for (const auto& listener : listeners_) listener->changed(what);
  }
  Stock::Articles all() override {
    Stock::Articles list;
    for (const auto& [name, article] : articles_) list.push_back(article);
    return list;
  }
  CORBA::Any property(const std::string& name) override {
    CORBA::Any value;
    if (name == "size")
      value <<= static_cast<std::uint32_t>(articles_.size());
    else
      value <<= articles_.begin()->second;
    return value;
  }
  void subscribe(IDL::traits<Stock::Listener>::ref_type who) override { listeners_.push_back(who); }

 private:
  std::string currency_;
  std::map<std::string, Stock::Article> articles_;
  std::vector<IDL::traits<Stock::Listener>::ref_type> listeners_;
};

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    auto manager = root->the_POAManager();

    auto poa = root->create_POA(
        "catalogues", manager,
        {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
         root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});

    auto servant = CORBA::make_reference<Catalogue>();
    auto id = PortableServer::string_to_ObjectId("spring");
    poa->activate_object_with_id(id, servant);
    auto reference = poa->id_to_reference(id);

    auto naming =
        IDL::traits<CosNaming::NamingContext>::narrow(orb->resolve_initial_references("NameService"));
    naming->rebind({{"catalogue", ""}}, reference);

    manager->activate();
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << std::endl;
    return 1;
  }
  return 0;
}
