// All channels and proxies of an event service.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "events/channel/channel.h"
#include "events/delivery/sweeper.h"
#include "events/store/journal.h"

namespace takt::events {

enum class Refusal : std::uint8_t {
  name_taken,
  too_many,  // channels, or proxies
  already_connected,
  gone,          // there is no such channel or proxy
  too_long,      // the client's reference
  not_stored,    // the store cannot be written
  maybe_stored,  // the same, and after a restart the change may exist
};

// Thread-safe. A change is on disk when its function returns, except those that the service makes by itself.
// stop() must be called, or no call be under way, before it is destroyed.
class Registry final : private ProxyKeeper<Proxy> {
 public:
  using ChannelPtr = std::shared_ptr<Channel>;
  using ProxyPtr = std::shared_ptr<Proxy>;

  Registry(CORBA::ORB& orb, const Limits& limits, std::unique_ptr<Journal> journal);
  ~Registry();

  // Makes the channels and proxies of an earlier run, and connects their clients. Clients whose references
  // cannot be read are left out.
  void restore(const Stored& stored);

  std::expected<ChannelPtr, Refusal> make_channel(ChannelSettings settings);
  // Disconnects its clients.
  std::expected<void, Refusal> destroy_channel(ChannelId id);
  // Makes `object` the target of the channel's name as an object key, unless the channel has no name or was
  // destroyed meanwhile.
  void register_name(const Channel& channel, const ObjectRef& object);
  ChannelPtr channel(ChannelId id) const;
  ChannelPtr channel(const std::string& name) const;
  std::vector<ChannelPtr> channels() const;

  std::expected<ProxyPtr, Refusal> make_proxy(ChannelId channel, ProxyKind kind);
  std::expected<void, Refusal> connect(ProxyId id, ProxyKind kind, const ObjectRef& client);
  // The client leaves: its disconnect operation is called once.
  std::expected<void, Refusal> disconnect(ProxyId id, ProxyKind kind);
  // Null if there is none of that kind.
  ProxyPtr proxy(ProxyId id, ProxyKind kind) const;
  std::size_t proxies() const;
  // Held by those who look at the links between channels and connect one more.
  std::unique_lock<std::mutex> hold_links() { return std::unique_lock(links_); }

  const Parts& parts() const { return parts_; }
  // Ends the threads, and the waits of pull().
  void stop();

 private:
  void end(Proxy& proxy, EndReason reason) override;
  // False if another thread has removed it.
  bool remove(const ProxyPtr& proxy, EndReason reason);
  std::expected<void, Refusal> write(const Change& change);
  void write_removal(ProxyId id);
  // Pings silent clients, and removes proxies that no client has connected to.
  void look_after_all();
  std::uint64_t new_id() const;  // under the lock

  Parts parts_;
  const std::unique_ptr<Journal> journal_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<ChannelId, ChannelPtr> channels_;
  std::unordered_map<std::string, ChannelPtr> named_;  // null while the channel is being written
  std::unordered_map<ProxyId, ProxyPtr> proxies_;
  std::size_t new_channels_ = 0, new_proxies_ = 0;  // those that are being written

  std::mutex links_;
  Sweeper sweeper_;  // last, so that it ends first
};

}  // namespace takt::events
