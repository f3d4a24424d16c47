// Filters, mapping filters and subscriptions of a notification channel.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

using admin::InterFilterGroupOperator;
using CosNotifyFilter::ConstraintExp;

TEST(NotificationFilters, SelectTheEventsOfOneConsumer) {
  NotifyServer server;
  const auto some = CORBA::make_reference<StructuredConsumer>(),
             all = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(some);
  server.connect(all);
  const auto id = proxy->add_filter(server.filter({"$number > 3 and $type_name == 'Alarm'", "$number == 1"}));
  const auto supplier = server.supplier();
  for (int i = 1; i <= 5; ++i) supplier->push_structured_event(alarm(i));
  ASSERT_TRUE(all->has(5) && some->has(3));
  EXPECT_EQ(some->numbers(), (Numbers{1, 4, 5}));
  EXPECT_EQ(server.state().filtered(), 2u);
  proxy->remove_filter(id);
  supplier->push_structured_event(alarm(2));
  ASSERT_TRUE(some->has(4));
}

TEST(NotificationFilters, AreORedInAListAndMatchAllIfItIsEmpty) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  const auto one = server.filter({"$number == 1"});
  const auto first = proxy->add_filter(one), second = proxy->add_filter(server.filter({"$number == 2"}));
  EXPECT_EQ(proxy->get_all_filters(), (CosNotifyFilter::FilterIDSeq{first, second}));
  EXPECT_TRUE(proxy->get_filter(first)->_is_equivalent(one));
  EXPECT_EQ(raised_by([&] { proxy->get_filter(77); }), "FilterNotFound");
  EXPECT_EQ(raised_by([&] { proxy->remove_filter(77); }), "FilterNotFound");
  const auto supplier = server.supplier();
  for (int i = 1; i <= 3; ++i) supplier->push_structured_event(alarm(i));
  proxy->remove_all_filters();
  supplier->push_structured_event(alarm(4));
  ASSERT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{1, 2, 4}));
}

TEST(NotificationFilters, OfAdministratorAndProxyAreCombinedByTheOperator) {
  NotifyServer server;
  for (const auto op : {InterFilterGroupOperator::AND_OP, InterFilterGroupOperator::OR_OP}) {
    admin::AdminID id = 0;
    const auto consumers = server.channel->new_for_consumers(op, id);
    consumers->add_filter(server.filter({"$number <= 2"}));
    const auto consumer = CORBA::make_reference<StructuredConsumer>(),
               plain = CORBA::make_reference<StructuredConsumer>();
    server.connect(consumer, consumers)->add_filter(server.filter({"$number >= 2"}));
    server.connect(plain, consumers);
    const auto supplier = server.supplier();
    for (int i = 1; i <= 3; ++i) supplier->push_structured_event(alarm(i));
    const bool both = op == InterFilterGroupOperator::AND_OP;
    ASSERT_TRUE(consumer->has(both ? 1 : 3) && plain->has(both ? 2 : 3));
    EXPECT_EQ(consumer->numbers(), both ? (Numbers{2}) : (Numbers{1, 2, 3}));
    EXPECT_EQ(plain->numbers(), both ? (Numbers{1, 2}) : (Numbers{1, 2, 3}));
    consumers->destroy();
  }
}

TEST(NotificationFilters, OfSuppliersKeepEventsOutOfTheChannel) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  server.connect(consumer);
  const auto supplier = server.supplier();
  server.channel->default_supplier_admin()->add_filter(server.filter({"$number != 1"}));
  supplier->add_filter(server.filter({"$number != 2"}));
  for (int i = 1; i <= 3; ++i) supplier->push_structured_event(alarm(i));
  ASSERT_TRUE(consumer->has(1));
  EXPECT_EQ(consumer->numbers(), (Numbers{3}));
}

TEST(NotificationFilters, LookIntoAnys) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<AnyConsumer>();
  server.connect_any(consumer)->add_filter(server.filter({"$ > 2", "$.remainder_of_body == 1"}));
  const auto supplier = server.any_supplier();
  for (std::int32_t i = 1; i <= 3; ++i) supplier->push(any_of(i));
  for (std::int32_t i = 1; i <= 3; ++i) supplier->push(any_of(alarm(i)));
  ASSERT_TRUE(consumer->has(2));
  EXPECT_EQ(consumer->numbers(), (Numbers{3, 1}));
}

TEST(NotificationFilters, AnswerClientsThatAskThem) {
  NotifyServer server;
  const auto filter = server.filter({"$number == 1 and $domain_name == 'Telecom'"}, {{"Telecom", "*"}});
  EXPECT_TRUE(filter->match_structured(alarm(1)));
  EXPECT_FALSE(filter->match_structured(alarm(2)));
  EXPECT_FALSE(filter->match(any_of(std::int32_t{1})));
  const auto typed = server.filter({"$number == 1"});
  EXPECT_TRUE(typed->match_typed({property("number", std::int32_t{1})}));
  EXPECT_FALSE(typed->match_typed({property("number", std::int32_t{2})}));
  EXPECT_EQ(filter->constraint_grammar(), "EXTENDED_TCL");
}

TEST(NotificationFilters, AreChangedAsTheStandardSays) {
  NotifyServer server;
  const auto factory = server.channel->default_filter_factory();
  EXPECT_EQ(raised_by([&] { factory->create_filter("SQL"); }), "InvalidGrammar");
  for (const char* grammar : {"TCL", "ETCL", "EXTENDED_TCL"}) EXPECT_TRUE(factory->create_filter(grammar));
  const auto filter = factory->create_filter("ETCL");
  EXPECT_FALSE(filter->match_structured(alarm(1)));
  const auto added = filter->add_constraints({{{}, "$number == 1"}, {{}, ""}});
  ASSERT_EQ(added.size(), 2u);
  try {
    filter->add_constraints({{{}, "TRUE"}, {{}, "$number =="}});
    FAIL();
  } catch (const CosNotifyFilter::InvalidConstraint& invalid) {
    EXPECT_EQ(invalid.constr(), ConstraintExp({}, "$number =="));
  }
  EXPECT_EQ(filter->get_all_constraints(), added);
  try {
    filter->get_constraints({added[0].constraint_id(), 99});
    FAIL();
  } catch (const CosNotifyFilter::ConstraintNotFound& missing) {
    EXPECT_EQ(missing.id(), 99);
  }
  filter->modify_constraints({added[1].constraint_id()}, {{{{}, "$number == 2"}, added[0].constraint_id()}});
  EXPECT_EQ(
      filter->get_constraints({added[0].constraint_id()}).at(0).constraint_expression().constraint_expr(),
      "$number == 2");
  EXPECT_TRUE(filter->match_structured(alarm(2)));
  filter->remove_all_constraints();
  EXPECT_TRUE(filter->get_all_constraints().empty());
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  proxy->add_filter(filter);
  filter->destroy();
  EXPECT_EQ(raised_by([&] { filter->get_all_constraints(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_by([&] { proxy->add_filter(filter); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(raised_by([&] { proxy->add_filter(nullptr); }), "BAD_PARAM");
}

TEST(NotificationFilters, OfOtherServicesAreRefused) {
  NotifyServer server, other;
  const auto proxy = server.structured_proxy();
  EXPECT_EQ(raised_by([&] { proxy->add_filter(other.filter({"TRUE"})); }), "NO_IMPLEMENT");
}

class Callback final : public virtual CORBA::servant_traits<CosNotifyComm::NotifySubscribe>::base_type,
                       public Received {
 public:
  explicit Callback(int refused = 0) : Received({}), refused_(refused) {}
  void subscription_change(const Types& added, const Types& removed) override {
    if (refused_-- > 0) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO);
    change(added, removed);
  }

 private:
  std::atomic<int> refused_;  // as if the client could not be reached
};

TEST(NotificationFilters, CallBackWhenTheirTypesChange) {
  NotifyServer server;
  const auto filter = server.filter({"TRUE"}, {{"Telecom", "Alarm"}});
  const auto callback = CORBA::make_reference<Callback>();
  const auto id = filter->attach_callback(server.activate<CosNotifyComm::NotifySubscribe>(callback));
  EXPECT_EQ(filter->get_callbacks(), (CosNotifyFilter::CallbackIDSeq{id}));
  filter->add_constraints({{{{"Telecom", "Call"}}, ""}});
  EXPECT_TRUE(eventually([&] { return callback->added() == Types{{"Telecom", "Call"}}; }));
  filter->remove_all_constraints();
  EXPECT_TRUE(eventually([&] { return callback->removed().size() == 2; }));
  filter->detach_callback(id);
  EXPECT_EQ(raised_by([&] { filter->detach_callback(id); }), "CallbackNotFound");
}

TEST(NotificationFilters, CallBackAgainWhenTheClientWasOutOfReach) {
  NotifyServer server;
  const auto filter = server.filter({"TRUE"});
  const auto callback = CORBA::make_reference<Callback>(1);
  filter->attach_callback(server.activate<CosNotifyComm::NotifySubscribe>(callback));
  filter->add_constraints({{{{"Telecom", "Call"}}, ""}});
  EXPECT_TRUE(eventually([&] { return callback->added() == Types{{"Telecom", "Call"}}; }));
}

// Other clients change the same filter meanwhile, and get no error.
TEST(NotificationFilters, ARefusedChangeUndoesNoOther) {
  takt::notification::Limits limits;
  limits.definition_bytes = 200'000;
  NotifyServer server(limits);
  const auto filter = server.filter({"TRUE"});
  std::string text = "$a == 1";
  for (int i = 0; i < 20; ++i) text += " or $a == 1";
  const CosNotifyFilter::ConstraintExpSeq too_long(500, ConstraintExp({}, text));
  std::atomic<bool> done{false};
  const auto refused = [&] {
    while (!done) EXPECT_EQ(raised_by([&] { filter->add_constraints(too_long); }), "IMP_LIMIT");
  };
  std::thread first(refused), second(refused);  // one waits while the other is refused
  for (int i = 0; i < 50; ++i) filter->add_constraints({{{}, "$number == " + std::to_string(i)}});
  done = true;
  first.join();
  second.join();
  EXPECT_EQ(filter->get_all_constraints().size(), 51u);
}

TEST(NotificationFilters, MapEventsToPriorities) {
  NotifyServer server;
  const auto mapping = server.channel->default_filter_factory()->create_mapping_filter(
      "EXTENDED_TCL", any_of(std::int16_t{-1}));
  EXPECT_EQ(raised_by([&] { mapping->add_mapping_constraints({{{{}, "TRUE"}, any_of(std::int32_t{5})}}); }),
            "InvalidValue");
  EXPECT_EQ(raised_by([&] { mapping->add_mapping_constraints({{{{}, "$x =="}, any_of(std::int16_t{5})}}); }),
            "InvalidConstraint");
  const auto added = mapping->add_mapping_constraints(
      {{{{}, "$number == 3"}, any_of(std::int16_t{9})}, {{{}, "$number == 2"}, any_of(std::int16_t{5})}});
  EXPECT_EQ(mapping->get_all_mapping_constraints(), added);
  CORBA::Any result;
  EXPECT_TRUE(mapping->match_structured(alarm(2), result));
  EXPECT_EQ(result, any_of(std::int16_t{5}));
  EXPECT_FALSE(mapping->match(any_of(std::int32_t{2}), result));
  EXPECT_EQ(result, any_of(std::int16_t{-1}));
  EXPECT_EQ(mapping->default_value(), any_of(std::int16_t{-1}));
  EXPECT_EQ(mapping->value_type()->kind(), CORBA::TCKind::tk_short);

  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  EXPECT_EQ(raised_by([&] { proxy->lifetime_filter(mapping); }), "BAD_PARAM");
  proxy->priority_filter(mapping);
  EXPECT_TRUE(proxy->priority_filter()->_is_equivalent(mapping));
  EXPECT_FALSE(proxy->lifetime_filter());
  proxy->suspend_connection();
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));  // -1, the filter's default
  supplier->push_structured_event(alarm(2));  // 5
  supplier->push_structured_event(alarm(3, {property("Priority", std::int16_t{1})}));  // 9 replaces its own
  supplier->push_structured_event(alarm(4, {property("Priority", std::int16_t{1})}));  // keeps 1
  proxy->resume_connection();
  ASSERT_TRUE(consumer->has(4));
  EXPECT_EQ(consumer->numbers(), (Numbers{3, 2, 4, 1}));
}

TEST(NotificationFilters, OfAnAdministratorMapEventsToLifetimes) {
  NotifyServer server;
  const auto mapping = server.channel->default_filter_factory()->create_mapping_filter(
      "EXTENDED_TCL", any_of(std::uint64_t{0}));
  mapping->add_mapping_constraints({{{{}, "$number == 1"}, any_of(std::uint64_t{1})}});
  const auto consumers = server.channel->default_consumer_admin();
  consumers->lifetime_filter(mapping);
  EXPECT_TRUE(consumers->lifetime_filter()->_is_equivalent(mapping));
  const auto consumer = CORBA::make_reference<StructuredConsumer>();
  const auto proxy = server.connect(consumer);
  proxy->suspend_connection();
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1));
  supplier->push_structured_event(alarm(2));
  proxy->resume_connection();
  ASSERT_TRUE(consumer->has(1));
  EXPECT_EQ(consumer->numbers(), (Numbers{2}));
  EXPECT_EQ(server.state().expired(), 1u);
}

TEST(NotificationSubscriptions, SelectEventsByType) {
  NotifyServer server;
  const auto consumer = CORBA::make_reference<StructuredConsumer>(),
             late = CORBA::make_reference<StructuredConsumer>();
  const auto all = CORBA::make_reference<StructuredConsumer>();
  admin::AdminID id = 0;
  const auto consumers = server.channel->new_for_consumers(InterFilterGroupOperator::AND_OP, id);
  server.connect(all);
  const auto proxy = server.connect(consumer, consumers);
  consumers->subscription_change({{"Tele*", "Call"}}, {});
  server.connect(late, consumers);
  const auto supplier = server.supplier();
  supplier->push_structured_event(alarm(1, {}, "Alarm"));
  supplier->push_structured_event(alarm(2, {}, "Call"));
  ASSERT_TRUE(all->has(2) && consumer->has(1) && late->has(1));
  EXPECT_EQ(consumer->numbers(), (Numbers{2}));
  EXPECT_EQ(late->numbers(), (Numbers{2}));
  proxy->subscription_change({{"*", "%ALL"}}, {});
  supplier->push_structured_event(alarm(3, {}, "Alarm"));
  server.any_supplier()->push(any_of(std::int32_t{4}));
  ASSERT_TRUE(consumer->has(3));
  EXPECT_EQ(consumer->numbers(), (Numbers{2, 3, 4}));
  EXPECT_EQ(late->numbers(), (Numbers{2}));
}

}  // namespace
}  // namespace feature
