// A proxy of a notification channel, and the client that is connected to it.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <takt/corba.h>

#include "events/delivery/client_figures.h"
#include "events/delivery/client_link.h"
#include "events/model/ids.h"
#include "notification/channel/parts.h"
#include "notification/channel/untold.h"
#include "notification_parts/filter/filter.h"
#include "notification_parts/model/event_types.h"
#include "notification_parts/model/object.h"
#include "notification_parts/model/qos.h"

namespace takt::notification {

class Admin;
class Channel;

using events::Answer;
using events::ObjectRef;
using events::ProxyKind;
using events::Ready;

// The form of the client's events. Clients of the OMG's event service have proxies of their own, for anys.
enum class Form : std::uint8_t { any, structured, sequence, cos_event };

struct ProxyState : events::ClientFigures {
  ProxyKind kind{};
  Form form{};
  std::int32_t admin = 0, number = 0;
  bool suspended = false, stored = false;
  std::uint64_t filtered = 0, expired = 0;
};

enum class Switched : std::uint8_t { done, already, not_connected };

// Thread-safe. It is large because it has the properties, filters and figures that the standard gives a
// proxy.
class Proxy : public Object, public events::ClientLink {
 public:
  Proxy(ObjectId id, std::int32_t number, ProxyKind kind, Form form, std::shared_ptr<Admin> admin);

  std::int32_t number() const { return number_; }
  ProxyKind kind() const { return kind_; }
  Form form() const { return form_; }
  Admin& admin() const { return *admin_; }
  Channel& channel() const;
  bool is_receiver() const { return events::is_receiver(kind_); }

  FilterList filters;

  Qos qos() const;
  void set(const Qos& qos);

  // The types that the client wants, or offers.
  std::set<TypeName> types() const;
  Subscription subscription() const;
  Subscription::Change change_types(const std::set<TypeName>& added, const std::set<TypeName>& removed);
  // Whether offer_change() or subscription_change() of the client is called when types of the other side
  // change. It ends with the first exception of the client, or when the client has yet to be told more than
  // Limits::untold_types, or all clients more than Limits::untold_bytes.
  void want_updates(bool wants);
  bool wants_updates() const;
  // Appends itself to `ready` if it must run.
  void update(const ChangePtr& change, Ready& ready);

  // Only for proxies that call their clients for events.
  Switched suspend();
  Switched resume();
  bool is_suspended_now() const;

  void note_filtered();
  // Drops events whose time is over.
  virtual void drop_expired(Clock::time_point) {}
  ProxyState look() const;
  ProxyState counts() const;  // the same without the client's reference

  // Sets the state before a restart, while no client is connected.
  void restore(const Subscription& types, bool suspended, bool wants_updates);

  bool counted = false;  // whether the channel counts its types; the channel maintains it

 protected:
  Parts& parts() const;
  // As those of ClientLink, for calls other than updates. Under the lock: attach_client, next_call,
  // after_call, add_to and qos_changed.
  virtual bool attach_client(const ObjectRef&) { return false; }
  virtual bool next_call() { return false; }
  virtual Answer call() { return Answer::done; }
  virtual std::size_t calls_together() const { return 1; }  // how many calls call() has made
  virtual std::optional<Clock::time_point> after_call(Answer, Clock::time_point) { return {}; }
  virtual void add_to(ProxyState&) const {}
  virtual void qos_changed() {}
  void stop() override { news_.clear(); }
  // Under the lock.
  const Qos& own_qos() const { return qos_; }
  bool is_suspended() const { return suspended_; }
  bool wants_type(const Candidate& event) const { return types_.takes(event.domain(), event.type()); }

  std::uint64_t events_ = 0, filtered_ = 0, failures_ = 0;

 private:
  bool attach(const ObjectRef& client) final;
  bool next_job() final;
  Answer carry_out() final;
  std::size_t calls_made() const final { return told_ ? 1 : calls_together(); }
  std::optional<Clock::time_point> after(Answer answer, Clock::time_point now) final;
  void give_up() final;
  void end_updates();  // under the lock
  std::chrono::milliseconds patience() const final;

  const std::int32_t number_;
  const ProxyKind kind_;
  const Form form_;
  const std::shared_ptr<Admin> admin_;
  Qos qos_;
  Subscription types_;
  bool suspended_ = false, wants_updates_ = false;
  UntoldChanges news_;
  ChangePtr told_;  // by the call that is under way; null: the call is no update
  ObjectRef client_;
};

using ProxyPtr = std::shared_ptr<Proxy>;

// As events::disconnect(), for a client of this form.
void disconnect(const ObjectRef& client, ProxyKind kind, Form form);

}  // namespace takt::notification
