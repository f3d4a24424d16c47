// The memory of what clients define, and of what clients that hang have yet to be told, is bounded.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

using takt::notification::Limits;

Types types_from(int first, int count) {
  Types types;
  for (int i = first; i < first + count; ++i) types.push_back({"Telecom", std::to_string(i)});
  return types;
}

TEST(NotificationMemory, TypesOfAClientAreBounded) {
  Limits limits;
  limits.event_types = 10;
  NotifyServer server(limits);
  const auto proxy = server.structured_proxy();
  proxy->subscription_change(types_from(0, 6), {});
  EXPECT_EQ(raised_by([&] { proxy->subscription_change(types_from(6, 6), {}); }), "IMP_LIMIT");
  proxy->subscription_change(types_from(6, 6), types_from(0, 6));
  const auto offers = server.supplier();
  offers->offer_change(types_from(0, 10), {});
  EXPECT_EQ(raised_by([&] { offers->offer_change(types_from(10, 1), {}); }), "IMP_LIMIT");
  admin::AdminID id = 0;
  const auto consumers = server.channel->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
  consumers->subscription_change(types_from(0, 6), {});
  const auto of_admin = server.structured_proxy(consumers);
  of_admin->subscription_change(types_from(6, 4), {});
  EXPECT_EQ(raised_by([&] { consumers->subscription_change(types_from(20, 1), {}); }), "IMP_LIMIT")
      << "the proxy would have too many";
}

TEST(NotificationMemory, DefinitionsOfAllClientsAreBounded) {
  Limits limits;
  limits.definition_bytes = 100'000;
  NotifyServer server(limits);
  const auto factory = server.channel->default_filter_factory();
  const CosNotifyFilter::ConstraintExpSeq one{{{}, "$a == '" + std::string(5'000, 'x') + "'"}};
  std::vector<Ref<CosNotifyFilter::Filter>> filters;
  const auto fill = [&] {
    for (std::size_t made = 0; made < 100; ++made) {
      filters.push_back(factory->create_filter("ETCL"));
      if (raised_by([&] { filters.back()->add_constraints(one); }) == "IMP_LIMIT") return made;
    }
    return std::size_t{100};
  };
  const std::size_t most = fill();
  EXPECT_GT(most, 3u);
  EXPECT_LT(most, 20u);
  EXPECT_EQ(filters.back()->get_all_constraints().size(), 0u);
  EXPECT_EQ(raised_by([&] { factory->create_mapping_filter("ETCL", any_of(std::string(50'000, 'x'))); }),
            "IMP_LIMIT");
  const auto proxy = server.structured_proxy();
  EXPECT_EQ(raised_by([&] {
              for (int i = 0; i < 1'000; ++i) proxy->subscription_change(types_from(i, 1), {});
            }),
            "IMP_LIMIT");
  proxy->disconnect_structured_push_supplier();
  for (const auto& each : filters) each->destroy();
  filters.clear();
  EXPECT_EQ(fill(), most) << "what is removed makes room";
}

class SlowCallback final : public virtual CORBA::servant_traits<CosNotifyComm::NotifySubscribe>::base_type,
                           public Received {
 public:
  explicit SlowCallback(OnEvent on_event) : Received(std::move(on_event)) {}
  void subscription_change(const Types& added, const Types& removed) override {
    change(added, removed);
    add({}, 0);
  }
};

TEST(NotificationMemory, CallbacksThatHangGetTheirChangesTogether) {
  NotifyServer server;
  Gate gate;
  const auto callback = CORBA::make_reference<SlowCallback>([&] { gate.pass(); });
  const auto filter = server.filter({"TRUE"}, {{"Telecom", "Alarm"}});
  filter->attach_callback(server.activate<CosNotifyComm::NotifySubscribe>(callback));
  const auto id = filter->get_all_constraints().at(0).constraint_id();
  for (int i = 0; i < 50; ++i) filter->modify_constraints({}, {{{types_from(i, 1), "TRUE"}, id}});
  gate.open();
  EXPECT_TRUE(eventually([&] {
    const Types added = callback->added();
    return !added.empty() && added.back().type_name() == "49";
  }));
  EXPECT_LE(callback->added().size(), 3u);
}

TEST(NotificationMemory, CallbacksThatHangPayForTheirTypes) {
  Limits limits;
  limits.definition_bytes = 200'000;
  NotifyServer server(limits);
  Gate gate;
  const auto callback = CORBA::make_reference<SlowCallback>([&] { gate.pass(); });
  const auto client = server.activate<CosNotifyComm::NotifySubscribe>(callback);
  const auto filter = server.filter({"TRUE"}, types_from(0, 50));
  const auto id = filter->get_all_constraints().at(0).constraint_id();
  const auto change = [&](int first) {
    return raised_by([&] { filter->modify_constraints({}, {{{types_from(first, 50), "TRUE"}, id}}); });
  };
  int changes = 0;
  std::string raised = "nothing";
  while (raised == "nothing" && changes < 90) {
    raised = raised_by([&] { filter->attach_callback(client); });
    if (raised == "nothing") raised = change(50 * ++changes);
  }
  EXPECT_EQ(raised, "IMP_LIMIT");
  EXPECT_GT(changes, 3);
  gate.open();
  EXPECT_TRUE(eventually([&] { return change(10'000) == "nothing"; })) << "what they are told makes room";
}

TEST(NotificationMemory, ClientsThatHangAreToldOfFewTypes) {
  Limits limits;
  limits.untold_types = 20;
  NotifyServer server(limits);
  Gate gate;
  const auto consumer = CORBA::make_reference<StructuredConsumer>([&] { gate.pass(); });
  const auto proxy = server.connect(consumer);
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  supplier->offer_change(types_from(0, 15), {});
  supplier->offer_change(types_from(15, 15), {});
  gate.open();
  supplier->push_structured_event(alarm(2));
  ASSERT_TRUE(consumer->has(2));
  EXPECT_TRUE(consumer->added().empty());
  EXPECT_EQ(proxy->obtain_offered_types(admin::ObtainInfoMode::ALL_NOW_UPDATES_ON).size(), 30u);
  supplier->offer_change({}, types_from(0, 1));
  EXPECT_TRUE(eventually([&] { return consumer->removed() == types_from(0, 1); }));
}

Types long_types(int first, int count) {
  Types types = types_from(first, count);
  for (auto& each : types) each.type_name(each.type_name() + std::string(900, 'x'));
  return types;
}

TEST(NotificationMemory, ClientsThatHangShareTheChangesTheyHaveYetToBeTold) {
  Limits limits;
  limits.untold_bytes = 200'000;
  NotifyServer server(limits);
  Gate gate;
  std::vector<CORBA::servant_reference<StructuredConsumer>> consumers;
  for (int i = 0; i < 16; ++i) {
    consumers.push_back(CORBA::make_reference<StructuredConsumer>([&] { gate.pass(); }));
    server.connect(consumers.back());
  }
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  ASSERT_TRUE(eventually([&] { return gate.waiting() >= 1; }));
  supplier->offer_change(long_types(0, 50), {});
  supplier->offer_change(long_types(50, 50), {});
  gate.open();
  for (const auto& each : consumers)
    EXPECT_TRUE(eventually([&] { return each->added().size() >= 100; })) << each->added().size();
}

TEST(NotificationMemory, ClientsThatHangAreToldOfFewOctets) {
  Limits limits;
  limits.untold_bytes = 100'000;
  NotifyServer server(limits);
  Gate gate;
  const auto consumer = CORBA::make_reference<StructuredConsumer>([&] { gate.pass(); });
  const auto prompt = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer);
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  ASSERT_TRUE(eventually([&] { return gate.waiting() == 1; }));
  server.connect(prompt);
  for (int i = 0; i < 4; ++i) {
    supplier->offer_change(long_types(40 * i, 40), {});
    EXPECT_TRUE(eventually([&] { return prompt->added().size() == 40u * static_cast<unsigned>(i + 1); }));
  }
  gate.open();
  supplier->push_structured_event(alarm(2));
  ASSERT_TRUE(consumer->has(2));
  EXPECT_TRUE(consumer->added().empty());
}

}  // namespace
}  // namespace feature
