// Persistent storage of channels, administrators, proxies, filters, and events that wait for consumers.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "notification_parts/model/object.h"
#include "sqlite/hidden.h"
#include "sqlite/store_fault.h"

namespace takt::notification {

// The rows. `octets` of a value are in the form of sqlite/octets.h, with the type that the comment says.
struct ChannelRow {
  ObjectId id = 0;
  std::int32_t number = 0;
  std::string name{}, qos{}, admin{};  // name; octets: QoSProperties, AdminProperties
};

// The filters of an administrator or a proxy: number of the attachment and id of each filter, octets of a
// sequence of unsigned long long; and the ids of its mapping filters, 0: none.
struct FiltersRow {
  std::string list{};
  ObjectId priority = 0, lifetime = 0;
};

struct AdminRow {
  ObjectId id = 0, channel = 0;
  std::int32_t number = 0;
  std::uint8_t side = 0, combine = 0;
  std::string qos{}, types{};  // octets: QoSProperties, EventTypeSeq
  FiltersRow filters{};
};

struct ProxyRow {
  ObjectId id = 0, admin = 0;
  std::int32_t number = 0;
  std::uint8_t kind = 0, form = 0;
  bool connected = false, suspended = false, updates = false;
  std::string client{};        // the client's reference as text; empty: nil
  std::string qos{}, types{};  // as in AdminRow
  FiltersRow filters{};
};

struct FilterRow {
  ObjectId id = 0;
  bool is_mapping = false;
  std::string grammar{};
  std::string default_value{};  // octets: any
  std::string constraints{};    // octets: ConstraintInfoSeq, or MappingConstraintInfoSeq
};

using EventNumber = std::uint64_t;  // rises with each event that is stored; 0: none

// An event, and the proxies of the consumers that are to get it.
struct EventRow {
  EventNumber number = 0;
  ObjectId channel = 0;
  bool is_any = false;
  std::string octets{};   // any, or StructuredEvent
  std::string targets{};  // in the form of store/targets.h
};

struct RemoveChannel {  // and all that is in it
  ObjectId id = 0;
};
struct RemoveAdmin {  // and its proxies
  ObjectId id = 0;
};
struct RemoveProxy {
  ObjectId id = 0;
};
struct RemoveFilter {
  ObjectId id = 0;
};

// A row replaces that with the same id.
using Change = std::variant<ChannelRow, AdminRow, ProxyRow, FilterRow, EventRow, RemoveChannel, RemoveAdmin,
                            RemoveProxy, RemoveFilter>;

// An event that need no longer be delivered: to the proxy, or with 0 to any.
struct Settled {
  EventNumber number = 0;
  ObjectId proxy = 0;
  bool has_rows = false;  // the store has been told of other proxies that have this event
  EventNumber last = 0;   // if it is not 0: all events from `number` to this one, which nothing has got
};

struct StoredObjects {
  std::vector<ChannelRow> channels;
  std::vector<AdminRow> admins;
  std::vector<ProxyRow> proxies;
  std::vector<FilterRow> filters;
  struct Event {
    EventRow row;
    std::vector<ObjectId> settled{};  // the proxies that need it no longer, in order
  };
  std::vector<Event> events;  // in the order of their numbers
};

using sqlite::StoreFault;

// One SQLite file, locked by this process while it is open. Changes are durable when write() returns. Not
// thread-safe; every call may block for the disk.
class Store {
 public:
  // Removes what nothing refers to. Fails with the reason and the path.
  static std::expected<Store, std::string> open(const std::string& path);

  // Fails with the reason.
  std::expected<StoredObjects, std::string> read() const;
  // Writes all, or nothing and returns the reason. A caller may try again later.
  std::expected<void, StoreFault> write(std::span<const Change* const> changes,
                                        std::span<const Settled> settled);

 private:
  struct Statements;
  explicit Store(sqlite::Hidden<Statements> statements);
  bool settle(const Settled& settled);

  sqlite::Hidden<Statements> statements_;
};

}  // namespace takt::notification
