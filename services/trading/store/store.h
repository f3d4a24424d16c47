// Persistent storage of types, offers, links and settings.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sqlite/hidden.h"
#include "sqlite/store_fault.h"
#include "trading/model/names.h"

namespace takt::trading {

// A row; its octets are in the form of store/octets.h.
struct StoredOffer {
  OfferNumber number = 0;
  std::string type, reference, properties;
  std::string proxy;  // empty: it is none
};

struct StoredLink {
  std::string name, target, target_register;
  std::uint32_t pass_on = 0, limiting = 0;
};

struct Stored {
  std::vector<std::pair<std::string, std::string>> types;  // names, and descriptions as octets
  std::vector<StoredLink> links;
  std::vector<std::pair<std::string, std::string>> settings;  // names, and values as octets
  OfferNumber last_offer = 0;                                 // the highest number that an offer has had
};

struct Change {
  enum class Action : std::uint8_t {
    put_type,
    remove_type,
    put_offer,
    remove_offer,
    put_link,
    remove_link,
    set,
  };
  Action action{};
  std::string name;        // a type, link or setting
  std::string octets;      // a type's description, or a setting's value
  StoredOffer offer = {};  // remove_offer needs only the number
  StoredLink link = {};
};

using sqlite::StoreFault;

// One SQLite file, locked by this process while it is open. Changes are durable when write() returns. Not
// thread-safe; every call may block for the disk.
class Store {
 public:
  // Fails with the reason and the path.
  static std::expected<Store, std::string> open(const std::string& path);

  // Passes each offer to `take`, which returns false for one that is damaged. Fails with the reason.
  std::expected<Stored, std::string> read(const std::function<bool(StoredOffer&&)>& take) const;
  // Writes all changes, or none and returns the reason. A caller may try again later.
  std::expected<void, StoreFault> write(std::span<const Change* const> changes);

 private:
  struct Statements;
  explicit Store(sqlite::Hidden<Statements> statements);

  sqlite::Hidden<Statements> statements_;
};

}  // namespace takt::trading
