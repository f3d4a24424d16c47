// A trader in this process, and its client over the wire.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "../orb_pair.h"
#include "CosTradingC.h"
#include "CosTradingReposC.h"
#include "Takt_TradingC.h"
#include "addresses/address_in.h"
#include "trading/service/trading_service.h"

namespace feature {

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using Types = CosTradingRepos::ServiceTypeRepository;
using Mode = Types::PropertyMode;
using How = CosTrading::Lookup::HowManyProps;
using Follow = CosTrading::FollowOption;

inline constexpr const char* any_object = "IDL:omg.org/CORBA/Object:1.0";

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

template <class T>
CosTrading::Property property(const std::string& name, const T& value) {
  return {name, any_of(value)};
}

template <class T>
CosTrading::Policy policy(const std::string& name, const T& value) {
  return {name, any_of(value)};
}

template <class T>
Types::PropStruct property_type(const std::string& name, Mode mode = Mode::PROP_NORMAL) {
  return {name, IDL::type_code<T>(), mode};
}

// The arguments of a query, and what it returns.
struct Asked {
  std::string type = "Printer", constraint = {}, preference = {};
  CosTrading::PolicySeq policies = {};
  How how = How::all;
  CosTrading::PropertyNameSeq names = {};
  std::uint32_t how_many = 100;
};

struct Answered {
  CosTrading::OfferSeq offers;
  CORBA::object_reference<CosTrading::OfferIterator> rest;
  CosTrading::PolicyNameSeq limits;
};

inline Answered ask(CosTrading::Lookup& lookup, const Asked& asked) {
  CosTrading::Lookup::SpecifiedProps wanted;
  if (asked.how == How::some)
    wanted.prop_names(asked.names);
  else
    wanted._d(asked.how);
  Answered answered;
  lookup.query(asked.type, asked.constraint, asked.preference, asked.policies, wanted, asked.how_many,
               answered.offers, answered.rest, answered.limits);
  return answered;
}

// The values of the property "id" of offers, in their order.
inline std::string ids_of(const CosTrading::OfferSeq& offers) {
  std::string all;
  for (const CosTrading::Offer& each : offers)
    for (const CosTrading::Property& own : each.properties()) {
      std::string id;
      if (own.name() == "id" && (own.value() >>= id)) all += (all.empty() ? "" : " ") + id;
    }
  return all;
}

inline std::string found(CosTrading::Lookup& lookup, Asked asked) {
  asked.how = How::all;
  return ids_of(ask(lookup, asked).offers);
}

class TradingServer : private OrbPair {
 public:
  explicit TradingServer(takt::trading::TradingService::Options options = {}, const std::string& port = "0")
      : OrbPair({}, {"-ORBRoundTripTimeout", "20s"}, "iiop://127.0.0.1:" + port,
                Server::serves_by_its_own_threads),
        service(started(server, std::move(options))),
        lookup(seen_by_client<CosTrading::Lookup>(service->lookup())),
        registry(lookup->register_if()),
        types(IDL::traits<Types>::narrow(lookup->type_repos())) {}
  ~TradingServer() { stop_server(); }  // before the service ends

  using OrbPair::publish;
  CORBA::ORB& client() { return *OrbPair::client; }
  // A reference to an object that does not exist.
  ObjectRef object(const std::string& key, const std::string& host = "127.0.0.1") {
    return client().string_to_object("corbaloc:iiop:1.2@" + host + ":9/" + key);
  }
  // The type "Printer": id and pages, which are mandatory, and floor, which is readonly.
  void add_printer() {
    types->add_type("Printer", any_object,
                    {property_type<std::string>("id", Mode::PROP_MANDATORY),
                     property_type<std::int32_t>("pages", Mode::PROP_MANDATORY),
                     property_type<std::int32_t>("floor", Mode::PROP_READONLY)},
                    {});
  }
  std::string add(const std::string& id, std::int32_t pages, CosTrading::PropertySeq more = {},
                  const std::string& type = "Printer") {
    more.push_back(property("id", id));
    more.push_back(property("pages", pages));
    return registry->_cxx_export(object(id), type, more);
  }
  Takt::Trading::State state() {
    const std::string address = takt::addresses::address_in(takt::addresses::ior_of(lookup));
    return IDL::traits<Takt::Trading::Service>::narrow(
               client().string_to_object("corbaloc:iiop:1.2@" + address + "/TaktTrading"))
        ->look();
  }

  const std::unique_ptr<takt::trading::TradingService> service;
  const CORBA::object_reference<CosTrading::Lookup> lookup;
  const CORBA::object_reference<CosTrading::Register> registry;
  const CORBA::object_reference<Types> types;

 private:
  static std::unique_ptr<takt::trading::TradingService> started(
      const Orb& orb, takt::trading::TradingService::Options options) {
    auto started = takt::trading::TradingService::start(orb, std::move(options));
    if (!started) throw std::runtime_error(started.error());
    return std::move(*started);
  }
};

// The exception of a call as text, with its members.
inline std::string exception_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::UserException& refused) {
    const std::string text = takt::cdr::text_of(takt::cdr::exception_to_any(refused));
    constexpr std::string_view prefix = "any omg.org::";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  } catch (const CORBA::Exception& failure) {
    return failure._name();
  }
  return "nothing";
}

}  // namespace feature
