// All objects of a notification service.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "events/delivery/sweeper.h"
#include "notification/channel/channel.h"
#include "notification_parts/store/store.h"

namespace takt::notification {

enum class Refusal : std::uint8_t {
  name_taken,
  too_many,  // channels, administrators, proxies or filters
  already_connected,
  gone,       // there is no such object
  too_long,   // the client's reference
  too_large,  // the types, constraints or values of this object, or of all together
  not_stored,
  maybe_stored,  // the store cannot be written; in the second case it may have the change
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

using QosRefusal = std::variant<Refusal, UnsupportedQos>;
// Persistent events need persistent connections.
std::expected<void, QosRefusal> check_reliability(const Qos& qos, Level level);

// The proxy of the kind; nothing knows it yet.
ProxyPtr new_proxy(ObjectId id, std::int32_t number, ProxyKind kind, Form form, const AdminPtr& admin);

// Thread-safe. stop() must be called, or no call be under way, before it is destroyed. It is large because
// every servant finds its object here, by a function for each kind.
class Registry final : private events::ProxyKeeper<Proxy> {
 public:
  // Without `persistence` nothing is kept, and reliabilities are BestEffort.
  Registry(CORBA::ORB& orb, const Limits& limits, std::unique_ptr<Persistence> persistence = nullptr);
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
  // Makes `object` the target of the channel's name as an object key, unless the channel has no name or was
  // destroyed meanwhile.
  void register_name(const Channel& channel, const ObjectRef& object);

  std::expected<AdminPtr, Refusal> make_admin(const ChannelPtr& channel, Side side, Combine combine);
  // Disconnects its clients.
  std::expected<void, Refusal> destroy(const AdminPtr& admin);

  using ProxyFault = std::variant<Refusal, LimitExceeded>;
  std::expected<ProxyPtr, ProxyFault> make_proxy(const AdminPtr& admin, ProxyKind kind, Form form);
  std::expected<void, Refusal> connect(const ProxyPtr& proxy, const ObjectRef& client);
  // The client leaves: its disconnect operation is called once.
  std::expected<void, Refusal> disconnect(const ProxyPtr& proxy);

  // Makes the objects and queues of an earlier run again, and connects its clients. Before any other call.
  // Objects whose data are damaged are left out, and named in `damaged`.
  // `environment` makes the references in events.
  void restore(const StoredObjects& objects, cdr::Environment* environment,
               std::vector<std::string>& damaged);

  // Changes of objects, which are on disk before they hold if the object is stored. `gone` if the object was
  // removed after the caller found it: then nothing is written.
  std::expected<void, QosRefusal> set_qos(Channel& channel, const CosNotification::QoSProperties& properties);
  std::expected<void, QosRefusal> set_qos(Admin& admin, const CosNotification::QoSProperties& properties);
  std::expected<void, QosRefusal> set_qos(Proxy& proxy, const CosNotification::QoSProperties& properties);
  // Whether set_qos() would do it now, but for the disk.
  std::expected<void, QosRefusal> may_set_qos(const Channel& channel,
                                              const CosNotification::QoSProperties& properties);
  std::expected<void, QosRefusal> may_set_qos(const Admin& admin,
                                              const CosNotification::QoSProperties& properties);
  std::expected<void, QosRefusal> may_set_qos(const Proxy& proxy,
                                              const CosNotification::QoSProperties& properties);
  std::expected<void, ChannelFault> set_admin(Channel& channel,
                                              const CosNotification::AdminProperties& properties);
  using Types = std::set<TypeName>;
  std::expected<void, Refusal> change_types(Admin& admin, const Types& added, const Types& removed);
  std::expected<void, Refusal> change_types(Proxy& proxy, const Types& added, const Types& removed);
  // Suspends or resumes the connection.
  std::expected<Switched, Refusal> suspend(Proxy& proxy, bool suspends);
  std::expected<void, Refusal> want_updates(Proxy& proxy, bool wants);
  // Calls `apply`, which returns whether it has changed the administrator, proxy or filter. If the store
  // cannot be written, calls `undo`.
  template <class T, class Apply, class Undo>
  std::expected<void, Refusal> change(T& object, const Apply& apply, const Undo& undo) {
    const auto lock = lock_changes();
    if (!has(object)) return std::unexpected(Refusal::gone);
    if (!apply()) return {};
    if (!has_room_for(counted_bytes_of(object), object.counted_bytes)) {
      undo();
      return std::unexpected(Refusal::too_large);
    }
    const auto written = save(object);
    if (written)
      recount(object);
    else
      undo();
    return written;
  }

  std::expected<FilterPtr, Refusal> make_filter(const std::string& grammar);
  std::expected<MappingFilterPtr, Refusal> make_mapping_filter(const std::string& grammar,
                                                               const CORBA::Any& default_value);
  std::expected<void, Refusal> destroy(Filter& filter);
  std::expected<void, Refusal> destroy(MappingFilter& filter);
  // The callback's number. `too_many`: the filter has as many as it may have.
  std::expected<std::int32_t, Refusal> attach_callback(Filter& filter, FilterCallback::Client client);
  bool detach_callback(Filter& filter, std::int32_t id);
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
  std::expected<void, Refusal> end(const AdminPtr& admin);
  void add(const ChannelPtr& channel, const std::vector<AdminPtr>& admins);
  bool has(const Object& object) const;
  // `gone` if there is no such object.
  template <class Removal>
  std::expected<void, Refusal> write_removal(const Object& object);
  // Stores the object if its connections are persistent.
  template <class T>
  std::expected<void, Refusal> save_new(T& object, bool parent_is_stored);

  // Held while objects are made, changed or removed, so that rows are written in the order of the changes,
  // and no row is written for an object that was removed.
  std::unique_lock<std::mutex> lock_changes() { return std::unique_lock(changing_); }
  std::expected<void, Refusal> write(std::span<const Change> changes);
  // Writes the rows of the object, and of filters that are attached to it, if it is stored.
  std::expected<void, Refusal> save(Admin& admin);
  std::expected<void, Refusal> save(Proxy& proxy);
  std::expected<void, Refusal> save(Filter& filter);
  std::expected<void, Refusal> save(MappingFilter& filter);
  template <class T>
  std::expected<void, Refusal> save_filter(T& filter);
  template <class T>
  std::expected<void, Refusal> save_with_filters(T& object);
  template <class T>
  std::expected<void, Refusal> destroy_filter(T& filter);
  struct QosPlace {
    Level level;
    bool parent_is_stored;
    Change removal;  // removes the object from the store
  };
  QosPlace place_of(const Channel& channel) const;
  QosPlace place_of(const Admin& admin) const;
  QosPlace place_of(const Proxy& proxy) const;
  // The qualities of service with the properties; or why it cannot have them.
  template <class T>
  std::expected<Qos, QosRefusal> qos_after(const T& object, const QosPlace& place,
                                           const CosNotification::QoSProperties& properties) const;
  template <class T>
  std::expected<void, QosRefusal> may_set_qos_of(const T& object,
                                                 const CosNotification::QoSProperties& properties);
  template <class T>
  std::expected<void, QosRefusal> set_qos_of(T& object, const CosNotification::QoSProperties& properties);
  // The rows of the object and of all in it whose connections are persistent.
  struct Rows {
    std::vector<Change> changes{};
    std::vector<Object*> objects{};  // which become stored
  };
  template <class T>
  static void add_row(Rows& rows, T& object, const Qos& qos, Level level);  // without what is in it
  static void add_rows(Rows& rows, Channel& channel, const Qos& qos);
  static void add_rows(Rows& rows, Admin& admin, const Qos& qos);
  static void add_rows(Rows& rows, Proxy& proxy, const Qos& qos);
  std::expected<void, Refusal> write(const Rows& rows);
  static void note_unstored(Channel& channel);
  static void note_unstored(Admin& admin);
  static void note_unstored(Proxy& proxy) { proxy.stored = false; }
  // Pings silent clients, drops events whose time is over, removes proxies that no client has connected to,
  // and counts the memory of filters whose callbacks have been told meanwhile.
  void look_after_all();
  ObjectId new_id() const;  // under the lock
  // Null if there are as many proxies as there may be. The administrator does not know the proxy yet.
  ProxyPtr add_proxy(const AdminPtr& admin, ProxyKind kind, Form form);
  // Takes back the object and its count.
  void forget(Object& object, std::size_t& count);

  // The memory of what clients have defined. Under lock_changes().
  static std::uint64_t counted_bytes_of(const Filter& filter) { return filter.bytes(); }
  static std::uint64_t counted_bytes_of(const MappingFilter& filter) {
    return filter.constraints.bytes() + filter.default_value()._content().octets.size();
  }
  static std::uint64_t counted_bytes_of(const Admin& admin) { return bytes_of(admin.subscription().types()); }
  static std::uint64_t counted_bytes_of(const Proxy& proxy) { return bytes_of(proxy.types()); }
  bool has_room_for(std::uint64_t bytes, std::uint64_t instead_of) const;
  template <class T>
  void recount(T& object) {
    counted_bytes_ -= object.counted_bytes;
    counted_bytes_ += object.counted_bytes = counted_bytes_of(object);
  }
  void recount_all();
  // Counts the filter again, if it is there, because its callbacks have changed.
  void recount_callbacks(Filter& filter);
  // Adds what the change adds to the memory of the object's types. False if it has too many of them then.
  template <class T>
  bool may_have(const T& object, const Types& added, const Types& removed, std::int64_t& growth) const;

  class Restoration;

  Parts parts_;
  std::mutex changing_;  // taken before all others
  mutable std::shared_mutex mutex_;
  std::unordered_map<ObjectId, std::shared_ptr<Object>> objects_;
  std::map<std::int32_t, ChannelPtr> channels_;
  std::unordered_map<std::string, ChannelPtr> named_;
  std::int32_t last_channel_ = 0;
  std::uint64_t counted_bytes_ = 0;  // sum over all objects; under changing_
  Counts counts_;

  events::Sweeper sweeper_;  // last, so that it ends first
};

}  // namespace takt::notification
