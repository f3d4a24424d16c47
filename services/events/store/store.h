// Persistent storage of channels, proxies and connections. Events are not stored.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "events/model/ids.h"
#include "events/model/limits.h"
#include "sqlite/hidden.h"
#include "sqlite/store_fault.h"

namespace takt::events {

struct StoredChannel {
  ChannelId id = 0;
  ChannelSettings settings{};
};

struct StoredProxy {
  ProxyId id = 0;
  ChannelId channel = 0;
  ProxyKind kind{};
  bool connected = false;
  std::string client;  // the client's reference as text; empty: nil
};

struct Stored {
  std::vector<StoredChannel> channels;
  std::vector<StoredProxy> proxies;  // all are of these channels
};

struct Change {
  enum class Action : std::uint8_t { add_channel, remove_channel, add_proxy, connect_proxy, remove_proxy };
  Action action{};
  StoredChannel channel{};  // remove_channel removes its proxies too, and needs only the id
  StoredProxy proxy{};      // connect_proxy needs id and client; remove_proxy only the id
};

using sqlite::StoreFault;

// One SQLite file, locked by this process while it is open. Changes are durable when write() returns. Not
// thread-safe; every call may block for the disk.
class Store {
 public:
  // Fails with the reason and the path.
  static std::expected<Store, std::string> open(const std::string& path);

  // Fails with the reason if the data is damaged.
  std::expected<Stored, std::string> read() const;
  // Writes all changes, or none and returns the reason. A caller may try again later.
  std::expected<void, StoreFault> write(std::span<const Change* const> changes);

 private:
  struct Statements;
  explicit Store(sqlite::Hidden<Statements> statements);

  sqlite::Hidden<Statements> statements_;
};

}  // namespace takt::events
