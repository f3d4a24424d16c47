#include "trading/store/store.h"

#include <algorithm>
#include <utility>

#include "sqlite/database.h"
#include "sqlite/rows.h"

namespace takt::trading {
namespace {

constexpr sqlite::Kind kind{.application_id = 0x54414b54,  // "TAKT"
                            .version = 1,
                            .schema = R"(
  PRAGMA application_id = 1413565268;
  PRAGMA user_version = 1;
  CREATE TABLE type (name TEXT PRIMARY KEY, description BLOB NOT NULL) STRICT;
  CREATE TABLE offer (
    number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, reference BLOB NOT NULL,
    properties BLOB NOT NULL, proxy BLOB NOT NULL) STRICT;
  CREATE TABLE link (
    name TEXT PRIMARY KEY, target BLOB NOT NULL, target_register BLOB NOT NULL, pass_on INTEGER NOT NULL,
    limiting INTEGER NOT NULL) STRICT;
  CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
)",
                            .name = "a trader's store"};
static_assert(kind.application_id == 1413565268);

using sqlite::Blob;
using Done = std::expected<void, std::string>;  // the reason if it failed
using Pairs = std::vector<std::pair<std::string, std::string>>;

Done read_pairs(sqlite3* database, const char* query, Pairs& pairs) {
  return sqlite::for_each(database, query, [&](sqlite3_stmt* row) {
    auto& [name, octets] = pairs.emplace_back();
    sqlite::get_all(row, name, octets);
  });
}

Done read_links(sqlite3* database, std::vector<StoredLink>& links) {
  return sqlite::for_each(
      database, "SELECT name, target, target_register, pass_on, limiting FROM link", [&](sqlite3_stmt* row) {
        StoredLink& link = links.emplace_back();
        sqlite::get_all(row, link.name, link.target, link.target_register, link.pass_on, link.limiting);
      });
}

Done read_offers(sqlite3* database, const std::function<bool(StoredOffer&&)>& take) {
  return sqlite::for_each(database, "SELECT number, type, reference, properties, proxy FROM offer",
                          [&](sqlite3_stmt* row) -> Done {
                            StoredOffer offer;
                            std::int64_t number = 0;
                            sqlite::get_all(row, number, offer.type, offer.reference, offer.properties,
                                            offer.proxy);
                            offer.number = static_cast<OfferNumber>(number);
                            if (number > 0 && take(std::move(offer))) return {};
                            return std::unexpected("offer " + std::to_string(number) + " is damaged");
                          });
}

}  // namespace

struct Store::Statements {
  sqlite::Database database;
  sqlite::Prepared put_type, remove_type, put_offer, remove_offer, put_link, remove_link, set;

  bool prepare() {
    return sqlite::prepare(database.get(), {{put_type, "INSERT OR REPLACE INTO type VALUES (?,?)"},
                                            {remove_type, "DELETE FROM type WHERE name = ?"},
                                            {put_offer, "INSERT OR REPLACE INTO offer VALUES (?,?,?,?,?)"},
                                            {remove_offer, "DELETE FROM offer WHERE number = ?"},
                                            {put_link, "INSERT OR REPLACE INTO link VALUES (?,?,?,?,?)"},
                                            {remove_link, "DELETE FROM link WHERE name = ?"},
                                            {set, "INSERT OR REPLACE INTO setting VALUES (?,?)"}});
  }

  bool carry_out(const Change& change) {
    const StoredOffer& offer = change.offer;
    const StoredLink& link = change.link;
    switch (change.action) {
      case Change::Action::put_type:
        return sqlite::done_with(put_type, change.name, Blob(change.octets));
      case Change::Action::remove_type:
        return sqlite::done_with(remove_type, change.name);
      case Change::Action::put_offer:
        return sqlite::done_with(put_offer, offer.number, offer.type, Blob(offer.reference),
                                 Blob(offer.properties), Blob(offer.proxy));
      case Change::Action::remove_offer:
        return sqlite::done_with(remove_offer, offer.number);
      case Change::Action::put_link:
        return sqlite::done_with(put_link, change.name, Blob(link.target), Blob(link.target_register),
                                 link.pass_on, link.limiting);
      case Change::Action::remove_link:
        return sqlite::done_with(remove_link, change.name);
      case Change::Action::set:
        return sqlite::done_with(set, change.name, Blob(change.octets));
    }
    return false;
  }
};

Store::Store(sqlite::Hidden<Statements> statements) : statements_(std::move(statements)) {}

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto statements = sqlite::open_prepared<Statements>(path, kind);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<Stored, std::string> Store::read(const std::function<bool(StoredOffer&&)>& take) const {
  sqlite3* database = statements_->database.get();
  Stored stored;
  Done done = read_pairs(database, "SELECT name, description FROM type", stored.types);
  if (done) done = read_pairs(database, "SELECT name, value FROM setting", stored.settings);
  if (done) done = read_links(database, stored.links);
  if (done) done = read_offers(database, take);
  if (!done) return std::unexpected(std::move(done.error()));
  const auto last = sqlite::number_of(database, "SELECT seq FROM sqlite_sequence WHERE name = 'offer'");
  stored.last_offer = static_cast<OfferNumber>(std::max<std::int64_t>(last, 0));
  return stored;
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(statements_->database.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* each) { return statements_->carry_out(*each); });
  });
}

}  // namespace takt::trading
