// Structured events when there is no memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "../../failing_memory.h"
#include "served.h"

namespace feature {
namespace {

using takt::test::fails_elsewhere;
using takt::test::fails_here;
using takt::test::Here;

// A channel with a consumer of each form, and a supplier, in the service's own process, so that all its
// threads are the test's and those that deliver.
class LocalChannel {
 public:
  LocalChannel() {
    admin::ProxyID id = 0;
    const auto channel = server_.service->channel("test");
    const auto consumers = channel->default_consumer_admin();
    const auto structured = IDL::traits<admin::StructuredProxyPushSupplier>::narrow(
        consumers->obtain_notification_push_supplier(admin::ClientType::STRUCTURED_EVENT, id));
    const auto filter = channel->default_filter_factory()->create_filter("EXTENDED_TCL");
    filter->add_constraints({{{}, "$number >= 0"}});
    structured->add_filter(filter);
    structured->connect_structured_push_consumer(
        local<CosNotifyComm::StructuredPushConsumer>(structured_consumer_));
    IDL::traits<admin::ProxyPushSupplier>::narrow(
        consumers->obtain_notification_push_supplier(admin::ClientType::ANY_EVENT, id))
        ->connect_any_push_consumer(local<CosNotifyComm::PushConsumer>(any_consumer_));
    const auto sequence = IDL::traits<admin::SequenceProxyPushSupplier>::narrow(
        consumers->obtain_notification_push_supplier(admin::ClientType::SEQUENCE_EVENT, id));
    sequence->set_qos({property("MaximumBatchSize", std::int32_t{10})});
    sequence->connect_sequence_push_consumer(local<CosNotifyComm::SequencePushConsumer>(sequence_consumer_));
    supplier_ = IDL::traits<admin::StructuredProxyPushConsumer>::narrow(
        channel->default_supplier_admin()->obtain_notification_push_consumer(
            admin::ClientType::STRUCTURED_EVENT, id));
    supplier_->connect_structured_push_supplier(nullptr);
  }

  void push(const StructuredEvent& event) const { supplier_->push_structured_event(event); }
  // Events have numbers from 0 on, so that each consumer wants them.
  bool all_have(std::int32_t number) const {
    const auto has = [number](const Numbers& all) { return std::ranges::find(all, number) != all.end(); };
    return has(structured_consumer_->numbers()) && has(any_consumer_->numbers()) &&
           has(sequence_consumer_->numbers());
  }
  // Whether all consumers get another event.
  bool passes(std::int32_t number) const {
    push(alarm(number));
    return eventually([&] { return all_have(number); });
  }

 private:
  template <class Interface, class Servant>
  Ref<Interface> local(const CORBA::servant_reference<Servant>& servant) const {
    const auto root = root_poa(server_.pair->server);
    return IDL::traits<Interface>::narrow(root->id_to_reference(root->activate_object(servant)));
  }

  const CORBA::servant_reference<StructuredConsumer> structured_consumer_ =
      CORBA::make_reference<StructuredConsumer>();
  const CORBA::servant_reference<AnyConsumer> any_consumer_ = CORBA::make_reference<AnyConsumer>();
  const CORBA::servant_reference<SequenceConsumer> sequence_consumer_ =
      CORBA::make_reference<SequenceConsumer>();
  NotifyServer server_;
  Ref<admin::StructuredProxyPushConsumer> supplier_;
};

constexpr std::int32_t later = 1'000'000;

TEST(NotificationWithoutMemory, ConsumersAreCalledAfterAnyAllocationOfASupplierHasFailed) {
  const LocalChannel channel;
  const Here here;
  int failures = 0;
  for (bool failed = true; failed; failures += failed) {
    const StructuredEvent event = alarm(failures);
    failed = fails_here(failures, [&] { channel.push(event); });
    ASSERT_TRUE(channel.passes(later + failures)) << failures;
  }
  EXPECT_GT(failures, 10);
}

TEST(NotificationWithoutMemory, ConsumersAreCalledAfterAnyAllocationOfADelivererHasFailed) {
  const LocalChannel channel;
  const Here here;
  ASSERT_TRUE(channel.passes(later));  // all threads are there
  int failures = 0;
  for (std::int32_t allocation = 0; allocation < 100; ++allocation) {
    const auto push_several = [&] {
      for (std::int32_t i = 0; i < 4; ++i) channel.push(alarm(4 * allocation + i));
    };
    failures +=
        fails_elsewhere(allocation, push_several, [&] { return channel.all_have(4 * allocation + 3); });
    ASSERT_TRUE(channel.passes(later + 1 + allocation)) << allocation;
  }
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace feature
