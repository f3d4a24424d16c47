#include "trading/service/trading_service.h"

#include <optional>
#include <utility>

#include <takt/corba.h>

#include "adapters/adapters.h"
#include "addresses/address_in.h"
#include "octets/random.h"
#include "trading/service/admin_servant.h"
#include "trading/service/checks.h"
#include "trading/service/iterators.h"
#include "trading/service/link_servant.h"
#include "trading/service/lookup_servant.h"
#include "trading/service/proxy_servant.h"
#include "trading/service/register_servant.h"
#include "trading/service/restore.h"
#include "trading/service/state_servant.h"
#include "trading/service/types_servant.h"

namespace takt::trading {
namespace {

using PoaRef = CORBA::object_reference<PortableServer::POA>;
using PortableServer::LifespanPolicyValue;

// An adapter with one object, which has the servant.
template <class Interface>
CORBA::object_reference<Interface> serve(PortableServer::POA& root, const std::string& name,
                                         CORBA::servant_reference<PortableServer::Servant> servant) {
  const PoaRef adapter = adapter_without_objects(root, name, LifespanPolicyValue::PERSISTENT);
  adapter->set_servant(std::move(servant));
  return IDL::traits<Interface>::unchecked_narrow(
      adapter->create_reference_with_id({1}, Interface::_interface_repository_id()));
}

}  // namespace

struct TradingService::Made {
  Made(CORBA::ORB& orb, const Options& options, std::unique_ptr<Journal> journal, PortableServer::POA& root)
      : parts(orb, options.limits, std::move(journal)),
        offer_iterators(options.limits, adapter_without_objects(root, "TradingOfferIterators",
                                                                LifespanPolicyValue::TRANSIENT)),
        id_iterators(options.limits,
                     adapter_without_objects(root, "TradingIdIterators", LifespanPolicyValue::TRANSIENT)) {
    parts.settings.change([](Settings& settings) { settings.request_id_stem = octets::random_id(); });
  }

  Parts parts;
  OfferIteratorFactory offer_iterators;
  IdIteratorFactory id_iterators;
};

std::expected<std::unique_ptr<TradingService>, std::string> TradingService::start(
    CORBA::object_reference<CORBA::ORB> orb, Options options) {
  using namespace PortableServer;
  std::unique_ptr<Store> store;
  if (!options.store.empty()) {
    auto opened = Store::open(options.store);
    if (!opened) return std::unexpected(std::move(opened.error()));
    store = std::make_unique<Store>(std::move(*opened));
  }
  const Store* const stored = store.get();
  const auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto current = IDL::traits<Current>::narrow(orb->resolve_initial_references("POACurrent"));
  auto made = std::make_unique<Made>(*orb, options,
                                     std::make_unique<Journal>(std::move(store), options.report), *root);
  Parts& parts = made->parts;
  References& own = parts.references;
  own.lookup = serve<CosTrading::Lookup>(*root, "TradingLookup",
                                         CORBA::make_reference<LookupServant>(parts, made->offer_iterators));
  own.registry =
      serve<CosTrading::Register>(*root, "TradingRegister", CORBA::make_reference<RegisterServant>(parts));
  own.types = serve<TypeRepository>(*root, "TradingTypes", CORBA::make_reference<TypesServant>(parts));
  own.link = serve<CosTrading::Link>(*root, "TradingLink", CORBA::make_reference<LinkServant>(parts));
  own.proxy = serve<CosTrading::Proxy>(*root, "TradingProxy", CORBA::make_reference<ProxyServant>(parts));
  own.admin = serve<CosTrading::Admin>(*root, "TradingAdmin",
                                       CORBA::make_reference<AdminServant>(parts, made->id_iterators));
  const auto state = serve<Takt::Trading::Service>(
      *root, "TradingState", CORBA::make_reference<StateServant>(parts, made->offer_iterators.kept()));
  made->offer_iterators.serve_with(
      CORBA::make_reference<OfferIteratorServant>(parts, made->offer_iterators.kept(), current));
  made->id_iterators.serve_with(
      CORBA::make_reference<IdIteratorServant>(parts, made->id_iterators.kept(), current));
  parts.keeps_environment <<= ObjectRef(own.lookup);
  if (stored)
    if (const auto read = restore(parts, *stored); !read)
      return std::unexpected(options.store + ": " + read.error());
  std::unique_ptr<TradingService> service(new TradingService(std::move(made)));
  orb->register_object_key("TradingService", own.lookup);
  orb->register_object_key("TaktTrading", state);
  orb->register_initial_reference("TradingService", own.lookup);
  return service;
}

TradingService::TradingService(std::unique_ptr<Made> made) : made_(std::move(made)) {}
TradingService::~TradingService() = default;

CORBA::object_reference<CosTrading::Lookup> TradingService::lookup() const {
  return made_->parts.references.lookup;
}

std::uint64_t TradingService::offers() const {
  const std::shared_lock lock(made_->parts.offers.mutex);
  return made_->parts.offers.book.size();
}

std::size_t TradingService::iterators() const { return made_->offer_iterators.kept().size(); }

}  // namespace takt::trading
