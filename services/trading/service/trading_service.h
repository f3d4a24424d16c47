// A trader: opens the store and serves the interfaces of CosTrading.
//
//   const auto trader = takt::trading::TradingService::start(orb, {.store = "trading.db"});
//   if (!trader) std::cerr << trader.error();
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

#include "CosTradingC.h"
#include "CosTradingReposC.h"
#include "trading/model/limits.h"

namespace takt::trading {

// Thread-safe. The ORB must be shut down before this object is destroyed.
class TradingService {
 public:
  struct Options {
    // The SQLite file; empty: offers are lost when this object is destroyed.
    std::string store{};
    Limits limits{};
    // Called in a caller's thread when writing starts to fail or to work again. `why_not` is the reason;
    // empty: it works.
    std::function<void(const std::string& why_not)> report{};
  };

  // Reads the store and creates POAs below the root POA. Registers the Lookup under the object key and the
  // initial reference "TradingService", and the state for operators (Takt_Trading.idl) under the key
  // "TaktTrading". References stay valid after a restart at the same address, except those to iterators.
  // Requests are held until the root POA's manager is active. Returns the reason on failure.
  static std::expected<std::unique_ptr<TradingService>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, Options options);
  TradingService(const TradingService&) = delete;
  TradingService& operator=(const TradingService&) = delete;
  ~TradingService();

  CORBA::object_reference<CosTrading::Lookup> lookup() const;
  std::uint64_t offers() const;
  std::size_t iterators() const;

 private:
  struct Made;
  explicit TradingService(std::unique_ptr<Made> made);

  const std::unique_ptr<Made> made_;
};

}  // namespace takt::trading
