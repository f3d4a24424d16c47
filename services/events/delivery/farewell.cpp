#include "events/delivery/farewell.h"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "events/delivery/answer.h"
#include "events/delivery/with_timeout.h"

namespace takt::events {
namespace {

class Farewell final : public Task {
 public:
  explicit Farewell(std::function<void()> disconnect) : disconnect_(std::move(disconnect)) {}
  std::optional<Clock::time_point> run() override {
    answer_of(disconnect_);
    return {};
  }
  Standing standing() const override { return Standing::leaving; }

 private:
  const std::function<void()> disconnect_;
};

}  // namespace

void say_farewell(const ObjectRef& client, std::function<void(const ObjectRef&)> disconnect,
                  const Limits& limits, Dispatcher& dispatcher) {
  try {
    const ObjectRef bounded = with_timeout(client, std::min(limits.farewell_timeout, limits.call_timeout));
    dispatcher.ready(
        std::make_shared<Farewell>([bounded, disconnect = std::move(disconnect)] { disconnect(bounded); }));
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it is not told
  }
}

void disconnect(const ObjectRef& client, ProxyKind kind) {
  switch (kind) {
    case ProxyKind::push_consumer:
      return IDL::traits<CosEventComm::PushSupplier>::unchecked_narrow(client)->disconnect_push_supplier();
    case ProxyKind::pull_consumer:
      return IDL::traits<CosEventComm::PullSupplier>::unchecked_narrow(client)->disconnect_pull_supplier();
    case ProxyKind::push_supplier:
      return IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(client)->disconnect_push_consumer();
    case ProxyKind::pull_supplier:
      return IDL::traits<CosEventComm::PullConsumer>::unchecked_narrow(client)->disconnect_pull_consumer();
  }
}

}  // namespace takt::events
