// The proxies that give events to a channel, for suppliers that push and that are pulled from.
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "notification/channel/proxy.h"

namespace takt::notification {

// Receives the events of a supplier that pushes.
class PushedProxy final : public Proxy {
 public:
  PushedProxy(ObjectId id, std::int32_t number, Form form, std::shared_ptr<Admin> admin)
      : Proxy(id, number, ProxyKind::push_consumer, form, std::move(admin)) {}
  // Throws IMP_LIMIT if the channel is full and rejects events.
  void push(const CORBA::Any& data);
  void push(const CosNotification::StructuredEvent& event);
  // All, or none.
  void push(const CosNotification::EventBatch& events);

 private:
  template <class Data>
  void push_one(const Data& data);
  void note(std::size_t events);
};

// Asks a supplier for events: again at once if it had one, otherwise after Limits::pull_period. Asks for none
// while the channel is full and rejects events, or the store cannot take those that it has pulled.
class PullingProxy final : public Proxy {
 public:
  PullingProxy(ObjectId id, std::int32_t number, Form form, std::shared_ptr<Admin> admin)
      : Proxy(id, number, ProxyKind::pull_consumer, form, std::move(admin)) {}

 private:
  bool attach_client(const ObjectRef& client) override;
  bool next_call() override;
  Answer call() override;
  std::optional<Clock::time_point> after_call(Answer answer, Clock::time_point now) override;
  // Asks the supplier. Returns how many events there were, which are in pulled_ then.
  std::size_t pull_some();
  // Passes on what was pulled. False if the store cannot take it: it is kept for the next time.
  bool publish_pulled();

  CORBA::object_reference<CosEventComm::PullSupplier> any_;
  CORBA::object_reference<CosNotifyComm::StructuredPullSupplier> structured_;
  CORBA::object_reference<CosNotifyComm::SequencePullSupplier> sequence_;
  std::int32_t batch_ = 1;
  std::size_t had_ = 0;  // events at the last question
  std::variant<std::monostate, CORBA::Any, CosNotification::EventBatch> pulled_;
};

}  // namespace takt::notification
