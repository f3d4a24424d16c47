// A client as TAO's users write them. Each failed expectation is a line on standard error and a status of 1.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <mutex>

#include <orbsvcs/CosNamingC.h>
#include <tao/AnyTypeCode/Any.h>
#include <tao/Messaging/Messaging.h>
#include <tao/ORB.h>
#include <tao/Object.h>
#include <tao/PortableServer/PortableServer.h>
#include <tao/corba.h>

#include "StockS.h"

namespace {

int status = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cerr << what << " does not hold\n";
  status = 1;
}

class Note_i : public virtual OBV_Stock::Note, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* shown() override { return CORBA::string_dup(text()); }
};
class NoteFactory : public virtual CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Note_i; }
};

void use_values(Stock::Quoter_ptr quoter) {
  TAO_OBV_REGISTER_FACTORY(NoteFactory, Stock::Note)  // as some programs write it
  TAO_OBV_REGISTER_FACTORY(NoteFactory, Stock::Note);
  Note_i* const note = new Note_i;
  Stock::Note_var owner = note;
  note->text("dear");
  CORBA::Any any;
  any <<= note;
  CORBA::Any_var answer = quoter->boxed(any);
  Stock::Note* back = nullptr;
  expect((answer.in() >>= back) && std::strcmp(CORBA::String_var(back->shown()).in(), "dear") == 0,
         "a value of the registered factory");
}

void use(Stock::Factories_ptr factory) {
  Stock::Quoter_var quoter = factory->get("NYSE");
  expect(!CORBA::is_nil(quoter.in()), "a quoter");
  CORBA::String_var name = quoter->name();
  expect(std::strcmp(name.in(), "NYSE") == 0, "its name");
  use_values(quoter.in());
  expect(quoter->get_quote("RHAT") == 12.5, "a quote");
  try {
    quoter->get_quote("none");
    expect(false, "an unknown symbol");
  } catch (const Stock::Invalid_Symbol& ex) {
    expect(std::strcmp(ex.symbol.in(), "none") == 0, "the exception's member");
    ex._tao_print_exception("expected", stdout);
  }

  Stock::Prices_var prices = quoter->all();
  expect(prices->length() == 2 && prices[CORBA::ULong(0)].value == 91, "all prices");

  Stock::Price price;
  price.symbol = CORBA::string_dup("IBM");
  price.value = 7;
  Stock::Octets_var more;
  quoter->both(price, prices.inout(), more.out());
  expect(prices->length() == 3 && std::strcmp(prices[2u].symbol.in(), "IBM") == 0, "an inout argument");
  expect(more->length() == 3 && more[2u] == 2, "an out argument");

  CORBA::Any any;
  any <<= price;
  CORBA::Any_var answer = quoter->boxed(any);
  CORBA::Double value = 0;
  expect((answer.in() >>= value) && value == 7, "an any");
  any <<= CORBA::Any::from_string("text", 0);
  answer = quoter->boxed(any);
  CORBA::Boolean is = true;
  expect((answer.in() >>= CORBA::Any::to_boolean(is)) && !is, "a boolean in an any");
}

// Is told the outcomes of asynchronous calls, by threads of the ORB.
class Quoter_Handler_i : public virtual POA_Stock::AMI_QuoterHandler {
 public:
  void get_name(const char*) override {}
  void get_name_excep(Messaging::ExceptionHolder*) override {}
  void get_quote(CORBA::Double ami_return_val) override { told("a quote", ami_return_val == 12.5); }
  void get_quote_excep(Messaging::ExceptionHolder* holder) override {
    try {
      holder->raise_exception();
    } catch (const Stock::Invalid_Symbol& ex) {
      told("an exception", std::strcmp(ex.symbol.in(), "none") == 0);
    }
  }
  void all(const Stock::Prices&) override {}
  void all_excep(Messaging::ExceptionHolder*) override {}
  void both(const Stock::Prices&, const Stock::Octets&) override {}
  void both_excep(Messaging::ExceptionHolder*) override {}
  void boxed(const CORBA::Any&) override {}
  void boxed_excep(Messaging::ExceptionHolder*) override {}

  void wait_for(int outcomes) {
    std::unique_lock<std::mutex> lock(mutex_);
    expect(changed_.wait_for(lock, std::chrono::seconds(30), [&] { return outcomes_ == outcomes; }),
           "all outcomes");
  }

 private:
  void told(const char* what, bool holds) {
    std::lock_guard<std::mutex> lock(mutex_);
    expect(holds, what);
    ++outcomes_;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int outcomes_ = 0;
};

void use_asynchronously(CORBA::ORB_ptr orb, Stock::Factories_ptr factory) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<Quoter_Handler_i> servant = new Quoter_Handler_i;
  PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  object = poa->id_to_reference(id.in());
  Stock::AMI_QuoterHandler_var handler = Stock::AMI_QuoterHandler::_narrow(object.in());
  Stock::Quoter_var quoter = factory->get("NYSE");
  quoter->sendc_get_quote(handler.in(), "RHAT");
  quoter->sendc_get_quote(handler.in(), "none");
  servant->wait_for(2);
  poa->deactivate_object(id.in());
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    for (int i = 1; i < argc; ++i) {
      CORBA::Object_var object = orb->string_to_object(argv[i]);
      Stock::Factories_var factory = Stock::Factories::_narrow(object.in());
      if (CORBA::is_nil(factory.in())) {
        std::cerr << argv[i] << " is no factory\n";
        return 1;
      }
      use(factory.in());
    }
    CORBA::Object_var naming_object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContextExt_var naming = CosNaming::NamingContextExt::_narrow(naming_object.in());
    CORBA::Object_var found = naming->resolve_str("Stock_Factory");
    Stock::Factories_var factory = Stock::Factories::_narrow(found.in());
    use(factory.in());
    use_asynchronously(orb.in(), factory.in());
    Stock::Quoter_var quoter = factory->get("NYSE");
    quoter->shutdown();
    orb->destroy();
  } catch (const CORBA::SystemException& ex) {
    ex._tao_print_exception("client", stderr);
    return 2;
  }
  return status;
}
