// A client as TAO's users write them. Each failed expectation is a line on standard error and a status of 1.
#include <cstdio>
#include <cstring>
#include <iostream>

#include <orbsvcs/CosNamingC.h>
#include <tao/AnyTypeCode/Any.h>
#include <tao/ORB.h>
#include <tao/Object.h>
#include <tao/corba.h>

#include "StockC.h"

namespace {

int status = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cerr << what << " does not hold\n";
  status = 1;
}

void use(Stock::Factories_ptr factory) {
  Stock::Quoter_var quoter = factory->get("NYSE");
  expect(!CORBA::is_nil(quoter.in()), "a quoter");
  CORBA::String_var name = quoter->name();
  expect(std::strcmp(name.in(), "NYSE") == 0, "its name");
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
    Stock::Quoter_var quoter = factory->get("NYSE");
    quoter->shutdown();
    orb->destroy();
  } catch (const CORBA::SystemException& ex) {
    ex._tao_print_exception("client", stderr);
    return 2;
  }
  return status;
}
