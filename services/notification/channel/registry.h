// All objects of a notification service.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "notification/channel/channel.h"

namespace takt::notification {

enum class Refusal : std::uint8_t {
  name_taken,
  too_many,  // channels, administrators, proxies or filters
  already_connected,
  gone,      // there is no such object
  too_long,  // the client's reference
};

struct UnsupportedQos {
  PropertyErrors errors;
};
struct UnsupportedAdmin {
  PropertyErrors errors;
};
// The channel has as many consumers or suppliers as its MaxConsumers or MaxSuppliers.
struct LimitExceeded {
  Side side;
  std::int32_t limit;
};

// Thread-safe. stop() must be called, or no call be under way, before it is destroyed.
class Registry final : private ProxyKeeper {
 public:
  Registry(CORBA::ORB& orb, const Limits& limits);
  ~Registry();

  using ChannelFault = std::variant<Refusal, UnsupportedQos, UnsupportedAdmin>;
  // The channel has an administrator of each side, with the number 0.
  std::expected<ChannelPtr, ChannelFault> make_channel(const std::string& name,
                                                       const CosNotification::QoSProperties& qos,
                                                       const CosNotification::AdminProperties& admin);
  ChannelPtr channel(std::int32_t number) const;
  ChannelPtr channel(const std::string& name) const;
  std::vector<ChannelPtr> channels() const;
  // Disconnects its clients.
  std::expected<void, Refusal> destroy(const ChannelPtr& channel);

  std::expected<AdminPtr, Refusal> make_admin(const ChannelPtr& channel, Side side, Combine combine);
  // Disconnects its clients.
  std::expected<void, Refusal> destroy(const AdminPtr& admin);

  using ProxyFault = std::variant<Refusal, LimitExceeded>;
  std::expected<ProxyPtr, ProxyFault> make_proxy(const AdminPtr& admin, ProxyKind kind, Form form);
  std::expected<void, Refusal> connect(const ProxyPtr& proxy, const ObjectRef& client);
  // The client leaves: its disconnect operation is called once.
  std::expected<void, Refusal> disconnect(const ProxyPtr& proxy);

  std::expected<FilterPtr, Refusal> make_filter(const std::string& grammar);
  std::expected<MappingFilterPtr, Refusal> make_mapping_filter(const std::string& grammar,
                                                               const CORBA::Any& default_value);
  void destroy(Filter& filter);
  void destroy(MappingFilter& filter);
  // Calls the filter's callbacks if the types of its constraints have changed.
  void tell_callbacks(Filter& filter);

  // Null if no object of that kind has the id.
  template <class T>
  std::shared_ptr<T> find(ObjectId id) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : std::dynamic_pointer_cast<T>(found->second);
  }
  std::size_t proxies() const;
  std::size_t filters() const;

  const Parts& parts() const { return parts_; }
  // Ends the threads, and the waits of pull operations.
  void stop();

 private:
  struct Counts {
    std::size_t admins = 0, proxies = 0, filters = 0;
  };

  void end(Proxy& proxy, EndReason reason) override;
  // False if another thread has removed it.
  bool remove(Proxy& proxy, EndReason reason);
  // Pings silent clients, drops events whose time is over, and removes proxies that no client has connected
  // to.
  void sweep();
  ObjectId new_id() const;  // under the lock
  // Null if there are as many proxies as there may be. The administrator does not know the proxy yet.
  ProxyPtr add_proxy(const AdminPtr& admin, ProxyKind kind, Form form);
  // Takes back the object and its count. False if another thread has removed it.
  bool forget(const Object& object, std::size_t& count);

  Parts parts_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<ObjectId, std::shared_ptr<Object>> objects_;
  std::map<std::int32_t, ChannelPtr> channels_;
  std::unordered_map<std::string, ChannelPtr> named_;
  std::int32_t last_channel_ = 0;
  Counts counts_;

  std::mutex sweeping_;
  std::condition_variable stops_;
  bool stopping_ = false;
  std::thread sweeper_;
};

}  // namespace takt::notification
