// bench_trading_fill FILE OFFERS: creates a trader's store with OFFERS offers of the type Printer. Number I
// has the properties id "nI", pages I, floor I modulo 50, price I / 4 and site "north" or "south".
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "CosTradingC.h"
#include "CosTradingReposC.h"
#include "trading/store/octets.h"
#include "trading/store/store.h"

namespace {

using namespace takt::trading;
using Types = CosTradingRepos::ServiceTypeRepository;

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "bench_trading_fill: " << why << '\n';
  std::exit(1);
}

void write(Store& store, std::vector<Change>& changes) {
  std::vector<const Change*> all;
  for (const Change& each : changes) all.push_back(&each);
  if (const auto written = store.write(all); !written) fail(written.error().text);
  changes.clear();
}

template <class T>
Types::PropStruct property_type(const char* name) {
  return {name, IDL::type_code<T>(), Types::PropertyMode::PROP_NORMAL};
}

template <class T>
CosTrading::Property property(const char* name, const T& value) {
  CosTrading::Property made;
  made.name(name);
  made.value() <<= value;
  return made;
}

Change printer_type() {
  Types::TypeStruct own;
  own.if_name("IDL:omg.org/CORBA/Object:1.0");
  own.props({property_type<std::string>("id"), property_type<std::int32_t>("pages"),
             property_type<std::int32_t>("floor"), property_type<double>("price"),
             property_type<std::string>("site")});
  own.incarnation({0, 1});
  return {.action = Change::Action::put_type, .name = "Printer", .octets = octets_of(own)};
}

Change printer(std::int32_t number, const std::string& reference) {
  Change change{.action = Change::Action::put_offer, .name = {}, .octets = {}};
  const CosTrading::PropertySeq properties{
      property("id", "n" + std::to_string(number)), property("pages", number), property("floor", number % 50),
      property("price", number / 4.0), property("site", std::string(number % 2 ? "north" : "south"))};
  change.offer = {.number = static_cast<OfferNumber>(number) + 1,
                  .type = "Printer",
                  .reference = reference,
                  .properties = octets_of(properties),
                  .proxy = {}};
  return change;
}

}  // namespace

int main(int argc, char** argv) {
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 3) fail("give a file and a number of offers");
  auto store = Store::open(argv[1]);
  if (!store) fail(store.error());
  const std::string reference =
      octets_of(orb->string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + std::string(64, 'k')));
  std::vector<Change> changes{printer_type()};
  const auto offers = static_cast<std::int32_t>(std::atol(argv[2]));
  for (std::int32_t number = 0; number < offers; ++number) {
    changes.push_back(printer(number, reference));
    if (changes.size() == 10'000) write(*store, changes);
  }
  write(*store, changes);
  orb->destroy();
}
