// A notification channel: passes the events of its suppliers to its consumers.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "notification/channel/admin.h"
#include "notification/channel/parts.h"
#include "notification/channel/receivers.h"
#include "notification_parts/model/object.h"

namespace takt::notification {

// It is large because each figure that operators see is a member.
struct ChannelState {
  std::int32_t number = 0;
  std::string name{};
  bool stored = false;
  std::uint64_t consumer_admins = 0, supplier_admins = 0;
  std::uint64_t received = 0;  // events from suppliers
  std::uint64_t rejected = 0;  // those that a full channel has refused
  // Sums over the proxies, also those that have ended.
  std::uint64_t filtered = 0, delivered = 0, discarded = 0, expired = 0, failures = 0;
  std::uint64_t dead = 0;     // clients that were disconnected because they did not answer
  std::uint64_t pending = 0;  // sum over the queues
  std::uint64_t held = 0;     // events of which a queue has a reference
  std::uint64_t proxy_count = 0;
  std::vector<ProxyState> proxies{};  // some of them, those with the most pending events first
};

// Thread-safe. It is large because it has the properties, filters and figures that the standard gives a
// channel.
class Channel final : public Object, public std::enable_shared_from_this<Channel> {
 public:
  Channel(ObjectId id, std::int32_t number, std::string name, const Qos& qos, const AdminProperties& admin,
          Parts& parts)
      : Object(id),
        number_(number),
        name_(std::move(name)),
        parts_(parts),
        qos_(qos),
        admin_(admin),
        most_held_(admin.max_queue_length),
        rejects_(admin.reject_new_events),
        keeps_events_(qos.event_reliability == CosNotification::Persistent) {}

  std::int32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  Parts& parts() const { return parts_; }

  Qos qos() const;
  void set(const Qos& qos);
  AdminProperties admin_properties() const;
  void set(const AdminProperties& admin);

  void add(const AdminPtr& admin);
  void remove(const Admin& admin);
  AdminPtr admin(Side side, std::int32_t number) const;
  std::vector<AdminPtr> admins(Side side) const;
  // The number of a new administrator; 0 if all have been used.
  std::int32_t next_admin(Side side);
  void admin_number_after(Side side, std::int32_t number);
  // Counts a new proxy. Nothing if it is one of those that the channel may have; otherwise the limit.
  std::expected<void, std::int32_t> count_proxy(Side side);
  void restore_proxy(Proxy& proxy);  // counts it and its types, and calls no client
  void uncount_proxy(Side side);

  // Whether the channel takes that many events. Otherwise they count as rejected.
  bool admits(std::size_t events);
  bool has_room(std::size_t events) const;
  // Puts the event into the queues of the consumers that want it, and returns. Blocks for the disk if it is
  // persistent and a consumer's connection is; throws PERSIST_STORE if it cannot be written, and then no
  // consumer gets it.
  void publish(const CORBA::Any& data, Proxy& from);
  void publish(const CosNotification::StructuredEvent& event, Proxy& from);
  // All, or none.
  void publish(const CosNotification::EventBatch& events, Proxy& from);

  // Calls `take` with each of the receivers that want the event. Holds no lock meanwhile.
  template <class Take>
  void offer(const Arrival& arrival, const Take& take) const {
    const auto all = listed_.get(mutex_, consumers_);
    for (const AdminPtr& admin : *all) admin->offer(arrival, take);
  }

  // An event that was stored; null if the octets are damaged.
  std::shared_ptr<Event> stored_event(bool is_any, const std::string& octets,
                                      cdr::Environment* environment) const;

  // Changes what a client wants or offers, and tells those of the other side.
  void change_types(Proxy& proxy, const std::set<TypeName>& added, const std::set<TypeName>& removed);
  // Counts the types of a client that has connected, or no longer those of one that has gone.
  void count_types(Proxy& proxy);
  void uncount_types(Proxy& proxy);
  // The types that the clients of that side want or offer.
  std::vector<TypeName> types(Side side) const;

  // Keeps the counts of a proxy that has ended.
  void note_end(const Proxy& proxy, EndReason reason);
  // With that many proxies. Takes little memory for the others.
  ChannelState look(std::size_t most_proxies) const;

 private:
  using Admins = std::map<std::int32_t, AdminPtr>;

  Admins& list(Side side) { return side == Side::consumers ? consumers_ : suppliers_; }
  const Admins& list(Side side) const { return side == Side::consumers ? consumers_ : suppliers_; }
  // An event, and the consumers that want it.
  struct Delivery {
    std::shared_ptr<Event> event;
    std::vector<std::pair<std::shared_ptr<Receiver>, Placement>> targets{};
  };
  bool is_persistent(const Event& event) const;
  // Whether the event passes the filters of its supplier's side.
  static bool enters(Candidate& candidate, Proxy& from);
  Arrival arrival_of(const EventPtr& event, Candidate& candidate, const Proxy& from) const;
  void publish_one(std::shared_ptr<Event> event, Proxy& from);
  void pass_on(const EventPtr& event, Proxy& from, Ready& ready);
  // If the channel has more events than it may have, or the service's memory is full, the fullest queues give
  // up events. The caller keeps none.
  void relieve();
  // First chooses the consumers, then writes what is persistent, then puts the events into the queues.
  void pass_on_stored(std::vector<Delivery> batch, Proxy& from);
  void choose(Delivery& delivery, Proxy& from) const;
  void write(std::vector<Delivery>& batch);
  // Tells all clients of the other side. Under types_mutex_.
  void tell(Side changed, Subscription::Change change);
  static void add_counts(ChannelState& sum, const Proxy& proxy, const ProxyState& state);

  const std::int32_t number_;
  const std::string name_;
  Parts& parts_;
  mutable std::shared_mutex mutex_;  // guards the following; taken before those of administrators and proxies
  Qos qos_;
  AdminProperties admin_;
  Admins consumers_, suppliers_;
  Listed<AdminPtr> listed_;  // the administrators of consumers
  std::int32_t last_consumers_ = 0, last_suppliers_ = 0;
  std::int32_t consumer_proxies_ = 0, supplier_proxies_ = 0;
  ChannelState past_;  // counts of proxies that have ended

  mutable std::mutex types_mutex_;  // taken before mutex_
  TypeCounts wanted_, offered_;

  std::mutex relieving_;  // taken before those of proxies
  const std::shared_ptr<HeldEvents> held_ = std::make_shared<HeldEvents>(0);
  std::atomic<std::uint64_t> received_{0}, rejected_{0};
  std::atomic<std::int32_t> most_held_;  // MaxQueueLength
  std::atomic<bool> rejects_;            // RejectNewEvents
  std::atomic<bool> keeps_events_;       // EventReliability
};

using ChannelPtr = std::shared_ptr<Channel>;

}  // namespace takt::notification
