#include "trading/store/store.h"

#include <algorithm>
#include <utility>

#include "sqlite/database.h"

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

using Pairs = std::vector<std::pair<std::string, std::string>>;

bool read_pairs(sqlite3* database, const char* sql, Pairs& pairs) {
  const sqlite::Prepared rows(sqlite::prepared(database, sql));
  int step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW)
    pairs.emplace_back(sqlite::octets_at(rows.get(), 0), sqlite::octets_at(rows.get(), 1));
  return step == SQLITE_DONE;
}

bool read_links(sqlite3* database, std::vector<StoredLink>& links) {
  const sqlite::Prepared rows(
      sqlite::prepared(database, "SELECT name, target, target_register, pass_on, limiting FROM link"));
  int step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW)
    links.push_back({.name = sqlite::octets_at(rows.get(), 0),
                     .target = sqlite::octets_at(rows.get(), 1),
                     .target_register = sqlite::octets_at(rows.get(), 2),
                     .pass_on = static_cast<std::uint32_t>(sqlite3_column_int64(rows.get(), 3)),
                     .limiting = static_cast<std::uint32_t>(sqlite3_column_int64(rows.get(), 4))});
  return step == SQLITE_DONE;
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
};

Store::Store(std::unique_ptr<Statements> statements) : statements_(std::move(statements)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto statements = sqlite::open_prepared<Statements>(path, kind);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<Stored, std::string> Store::read(const std::function<bool(StoredOffer&&)>& take) const {
  sqlite3* database = statements_->database.get();
  Stored stored;
  if (!read_pairs(database, "SELECT name, description FROM type", stored.types) ||
      !read_pairs(database, "SELECT name, value FROM setting", stored.settings) ||
      !read_links(database, stored.links))
    return std::unexpected(sqlite3_errmsg(database));
  const auto last = sqlite::number_of(database, "SELECT seq FROM sqlite_sequence WHERE name = 'offer'");
  stored.last_offer = static_cast<OfferNumber>(std::max<std::int64_t>(last, 0));
  const sqlite::Prepared rows(
      sqlite::prepared(database, "SELECT number, type, reference, properties, proxy FROM offer"));
  int step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW) {
    const auto number = sqlite3_column_int64(rows.get(), 0);
    const bool taken = number > 0 && take({.number = static_cast<OfferNumber>(number),
                                           .type = sqlite::octets_at(rows.get(), 1),
                                           .reference = sqlite::octets_at(rows.get(), 2),
                                           .properties = sqlite::octets_at(rows.get(), 3),
                                           .proxy = sqlite::octets_at(rows.get(), 4)});
    if (!taken) return std::unexpected("offer " + std::to_string(number) + " is damaged");
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return stored;
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(statements_->database.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* change) { return carry_out(*change); });
  });
}

bool Store::carry_out(const Change& change) {
  const auto with_name = [&](const sqlite::Prepared& statement) {
    sqlite::bind_text(statement.get(), 1, change.name);
    return statement.get();
  };
  switch (change.action) {
    case Change::Action::put_type:
      sqlite::bind_octets(with_name(statements_->put_type), 2, change.octets);
      return sqlite::done(statements_->put_type.get());
    case Change::Action::remove_type:
      return sqlite::done(with_name(statements_->remove_type));
    case Change::Action::put_offer: {
      sqlite3_stmt* statement = statements_->put_offer.get();
      sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(change.offer.number));
      sqlite::bind_text(statement, 2, change.offer.type);
      sqlite::bind_octets(statement, 3, change.offer.reference);
      sqlite::bind_octets(statement, 4, change.offer.properties);
      sqlite::bind_octets(statement, 5, change.offer.proxy);
      return sqlite::done(statement);
    }
    case Change::Action::remove_offer:
      sqlite3_bind_int64(statements_->remove_offer.get(), 1, static_cast<std::int64_t>(change.offer.number));
      return sqlite::done(statements_->remove_offer.get());
    case Change::Action::put_link: {
      sqlite3_stmt* statement = with_name(statements_->put_link);
      sqlite::bind_octets(statement, 2, change.link.target);
      sqlite::bind_octets(statement, 3, change.link.target_register);
      sqlite3_bind_int64(statement, 4, change.link.pass_on);
      sqlite3_bind_int64(statement, 5, change.link.limiting);
      return sqlite::done(statement);
    }
    case Change::Action::remove_link:
      return sqlite::done(with_name(statements_->remove_link));
    case Change::Action::set:
      sqlite::bind_octets(with_name(statements_->set), 2, change.octets);
      return sqlite::done(statements_->set.get());
  }
  return false;
}

}  // namespace takt::trading
