// Events when there is no memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "../../failing_memory.h"
#include "served.h"

namespace feature {
namespace {

using takt::test::fails_elsewhere;
using takt::test::fails_here;
using takt::test::Here;

// A channel with consumers and a supplier in the service's own process, so that all its threads are the
// test's and those that deliver.
class LocalChannel {
 public:
  LocalChannel() {
    const auto channel = *server_.service->make_channel({});
    for (const auto& each : consumers_) {
      const auto object = server_.root->id_to_reference(server_.root->activate_object(each));
      channel->for_consumers()->obtain_push_supplier()->connect_push_consumer(
          IDL::traits<CosEventComm::PushConsumer>::narrow(object));
    }
    supplier_ = channel->for_suppliers()->obtain_push_consumer();
    supplier_->connect_push_supplier(nullptr);
  }

  void push(std::int32_t value) const { supplier_->push(number(value)); }
  void push_often(const CORBA::Any& event) const {
    for (int i = 0; i < often; ++i) supplier_->push(event);
  }
  bool all_have(std::int32_t value) const {
    return std::ranges::all_of(consumers_, [value](const auto& each) {
      const auto numbers = each->numbers();
      return std::ranges::find(numbers, value) != numbers.end();
    });
  }
  // Whether all consumers get another event.
  bool passes(std::int32_t value) const {
    push(value);
    return eventually([&] { return all_have(value); });
  }

 private:
  static constexpr int often = 100;  // more than a piece of memory of a queue has
  const std::vector<CORBA::servant_reference<Consumer>> consumers_{make_consumer(), make_consumer(),
                                                                   make_consumer()};
  EventServer server_;
  CORBA::object_reference<CosEventChannelAdmin::ProxyPushConsumer> supplier_;
};

constexpr std::int32_t later = 1'000'000;

TEST(EventsWithoutMemory, ConsumersAreCalledAfterAnyAllocationOfASupplierHasFailed) {
  const LocalChannel channel;
  const Here here;
  int failures = 0;
  for (bool failed = true; failed; failures += failed) {
    const CORBA::Any event = number(failures);
    failed = fails_here(failures, [&] { channel.push_often(event); });
    ASSERT_TRUE(channel.passes(later + failures)) << failures;
  }
  EXPECT_GT(failures, 100);
}

TEST(EventsWithoutMemory, ConsumersAreCalledAfterAnyAllocationOfADelivererHasFailed) {
  const LocalChannel channel;
  const Here here;
  ASSERT_TRUE(channel.passes(later));  // all threads are there
  int failures = 0;
  for (std::int32_t allocation = 0; allocation < 20; ++allocation) {
    const auto push_several = [&] {
      channel.push_often(number(0));
      channel.push(1 + allocation);
    };
    failures += fails_elsewhere(allocation, push_several, [&] { return channel.all_have(1 + allocation); });
    ASSERT_TRUE(channel.passes(later + 1 + allocation)) << allocation;
  }
  EXPECT_GT(failures, 0);
}

}  // namespace
}  // namespace feature
