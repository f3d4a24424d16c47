// Queries over the wire, by the rules of the standard.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "CosTradingDynamicS.h"
#include "served.h"

namespace feature {
namespace {

using CosTrading::Lookup;

struct Queries : testing::Test {
  Queries() {
    server.add_printer();
    server.types->add_type("Laser", any_object, {}, {"Printer"});
    server.add("a", 10, {property("floor", std::int32_t{1})});
    server.add("b", 30);
    server.add("c", 20, {property("floor", std::int32_t{2})});
    server.add("d", 40, {property("colour", true)}, "Laser");
  }
  Lookup& lookup() { return *server.lookup; }
  std::string found(const Asked& asked) { return feature::found(lookup(), asked); }
  std::string thrown(const Asked& asked) {
    return exception_of([&] { ask(lookup(), asked); });
  }
  TradingServer server;
};

TEST_F(Queries, FindOffersOfATypeAndItsSubtypes) {
  EXPECT_EQ(found({}), "a b c d");
  EXPECT_EQ(found({.type = "Laser"}), "d");
  EXPECT_EQ(found({.policies = {policy("exact_type_match", true)}}), "a b c");
  EXPECT_EQ(found({.constraint = "pages >= 20"}), "b c d");
  EXPECT_EQ(found({.constraint = "floor == 2"}), "c");
  EXPECT_EQ(found({.constraint = "pages > 100"}), "");
  const auto offers = ask(lookup(), {.constraint = "pages == 30"}).offers;
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_TRUE(offers[0].reference()->_is_equivalent(server.object("b")));
}

TEST_F(Queries, OrderByPreference) {
  EXPECT_EQ(found({.preference = "max pages"}), "d b c a");
  EXPECT_EQ(found({.preference = "min pages"}), "a c b d");
  EXPECT_EQ(found({.preference = "with pages > 25"}), "b d a c");
  EXPECT_EQ(found({.preference = "max floor"}), "c a b d") << "those without it come last";
  EXPECT_EQ(found({.preference = "first"}), "a b c d");
  std::string letters = found({.preference = "random"});
  std::ranges::sort(letters);
  EXPECT_EQ(letters, "   abcd");
}

TEST_F(Queries, ShowWhatIsWanted) {
  const auto names = [&](const Asked& asked) {
    std::string all;
    const CosTrading::OfferSeq offers = ask(lookup(), asked).offers;
    for (const auto& each : offers.at(0).properties()) all += each.name() + " ";
    return all;
  };
  EXPECT_EQ(names({.how = How::all}), "floor id pages ");
  EXPECT_EQ(names({.how = How::none}), "");
  EXPECT_EQ(names({.how = How::some, .names = {"pages", "absent"}}), "pages ");
}

TEST_F(Queries, AreRefusedByName) {
  EXPECT_EQ(thrown({.type = "<>"}), "CosTrading::IllegalServiceType{type=\"<>\"}");
  EXPECT_EQ(thrown({.type = "Plotter"}), "CosTrading::UnknownServiceType{type=\"Plotter\"}");
  EXPECT_EQ(thrown({.constraint = "pages >"}), "CosTrading::IllegalConstraint{constr=\"pages >\"}");
  EXPECT_EQ(thrown({.preference = "best"}), "CosTrading::Lookup::IllegalPreference{pref=\"best\"}");
  EXPECT_EQ(thrown({.policies = {policy("nonsense", true)}}),
            "CosTrading::Lookup::IllegalPolicyName{name=\"nonsense\"}");
  EXPECT_EQ(thrown({.policies = {policy("match_card", true)}}).substr(0, 38),
            "CosTrading::Lookup::PolicyTypeMismatch");
  EXPECT_EQ(thrown({.policies = {policy("hop_count", 1u), policy("hop_count", 1u)}}),
            "CosTrading::DuplicatePolicyName{name=\"hop_count\"}");
  EXPECT_EQ(thrown({.how = How::some, .names = {"<>"}}), "CosTrading::IllegalPropertyName{name=\"<>\"}");
  EXPECT_EQ(thrown({.how = How::some, .names = {"a", "a"}}), "CosTrading::DuplicatePropertyName{name=\"a\"}");
  EXPECT_EQ(thrown({.constraint = std::string(20'000, ' ')}).substr(0, 29), "CosTrading::IllegalConstraint");
  EXPECT_EQ(thrown({.policies = CosTrading::PolicySeq(65, policy("x", true))}), "IMP_LIMIT");
}

TEST_F(Queries, CardinalitiesCut) {
  const auto cut = [&](const char* name, std::uint32_t value, const std::string& preference = {}) {
    const auto answered = ask(lookup(), {.preference = preference, .policies = {policy(name, value)}});
    std::string all = ids_of(answered.offers);
    for (const std::string& each : answered.limits) all += " " + each;
    return all;
  };
  EXPECT_EQ(cut("search_card", 2), "a b search_card");
  EXPECT_EQ(cut("match_card", 2, "max pages"), "b a match_card") << "before the order";
  EXPECT_EQ(cut("return_card", 2, "max pages"), "d b return_card") << "behind the order";
  EXPECT_EQ(cut("return_card", 4), "a b c d");
  EXPECT_EQ(cut("return_card", 4'000'000'000), "a b c d return_card") << "the trader's maximum";
}

TEST_F(Queries, ContinueInIterators) {
  auto answered = ask(lookup(), {.preference = "max pages", .how_many = 1});
  EXPECT_EQ(ids_of(answered.offers), "d");
  ASSERT_TRUE(answered.rest);
  EXPECT_EQ(answered.rest->max_left(), 3u);
  CosTrading::OfferSeq next;
  EXPECT_TRUE(answered.rest->next_n(2, next));
  EXPECT_EQ(ids_of(next), "b c");
  EXPECT_FALSE(answered.rest->next_n(2, next)) << "nothing is left behind these";
  EXPECT_EQ(ids_of(next), "a");
  EXPECT_EQ(answered.rest->max_left(), 0u);
  answered.rest->destroy();
  EXPECT_EQ(exception_of([&] { answered.rest->max_left(); }), "OBJECT_NOT_EXIST");
  EXPECT_EQ(server.service->iterators(), 0u);
  EXPECT_FALSE(ask(lookup(), {}).rest) << "all offers are in the sequence";
  answered = ask(lookup(), {.how_many = 0});
  EXPECT_TRUE(answered.offers.empty());
  ASSERT_TRUE(answered.rest);
  EXPECT_EQ(answered.rest->max_left(), 4u);
}

TEST_F(Queries, ModifiableOffersCanBeLeftOut) {
  server.types->add_type("Fixed", any_object, {property_type<std::string>("id", Mode::PROP_READONLY)}, {});
  server.registry->_cxx_export(server.object("x"), "Fixed", {property("id", std::string("x"))});
  server.registry->_cxx_export(server.object("y"), "Fixed",
                               {property("id", std::string("y")), property("extra", true)});
  EXPECT_EQ(found({.type = "Fixed", .policies = {policy("use_modifiable_properties", false)}}), "x");
  EXPECT_EQ(found({.type = "Fixed"}), "x y");
}

TEST(QueriesWithLimits, KeepTheirIteratorsBounded) {
  takt::trading::Limits limits;
  limits.iterators = 2;
  limits.listed = 1;
  limits.iterator_idle = std::chrono::milliseconds(50);
  TradingServer server({.limits = limits});
  server.add_printer();
  for (const char* id : {"a", "b", "c"}) server.add(id, 1);
  const auto first = ask(*server.lookup, {});
  EXPECT_EQ(ids_of(first.offers), "a") << "max_list";
  const auto second = ask(*server.lookup, {}), third = ask(*server.lookup, {});
  EXPECT_EQ(server.service->iterators(), 2u);
  EXPECT_EQ(exception_of([&] { first.rest->max_left(); }), "OBJECT_NOT_EXIST");
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(exception_of([&] { third.rest->max_left(); }), "OBJECT_NOT_EXIST") << "unused for too long";
}

TEST(QueriesWithLimits, EndWhenTheirStepsAreUsedUp) {
  takt::trading::Limits limits;
  limits.query_steps = 100;
  TradingServer server({.limits = limits});
  server.add_printer();
  for (int i = 0; i < 100; ++i) server.add("x" + std::to_string(i), i);
  const auto answered = ask(*server.lookup, {.constraint = "pages + 1 - 1 >= 0"});
  EXPECT_LT(answered.offers.size(), 30u);
  EXPECT_GT(answered.offers.size(), 5u);
  EXPECT_EQ(answered.limits, CosTrading::PolicyNameSeq{"search_card"});
  const auto ranked = ask(*server.lookup, {.preference = "max pages + 1"});
  EXPECT_EQ(ranked.offers.size(), 100u);
  EXPECT_EQ(ranked.limits, CosTrading::PolicyNameSeq{"search_card"}) << "the last ones have no rank";
  EXPECT_EQ(
      exception_of([&] { server.registry->withdraw_using_constraint("Printer", "pages + 1 - 1 >= 0"); }),
      "IMP_LIMIT")
      << "it withdraws all that match, or none";
}

TEST(QueriesOfMany, AreServedByAnIndex) {
  takt::trading::Limits limits;
  limits.index_from_offers = 100;
  TradingServer server({.limits = limits});
  server.add_printer();
  for (int i = 0; i < 300; ++i) server.add("x" + std::to_string(i), i);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(found(*server.lookup, {.constraint = "pages == 250 and id == 'x250'"}), "x250");
    EXPECT_EQ(found(*server.lookup, {.constraint = "pages < 2", .preference = "max pages"}), "x1 x0");
  }
  const auto state = server.state();
  EXPECT_EQ(state.indexed_queries(), 4u);
  EXPECT_LT(state.offers_looked_at(), 20u);
  ASSERT_EQ(state.indexes().size(), 2u);
  EXPECT_EQ(state.indexes()[0].entries(), 300u);
}

// All offers together are longer than an ORB takes.
TEST_F(Queries, ListsOfLargeOffersAreShorter) {
  for (int i = 0; i < 100; ++i) server.add("large", 5'000 + i, {property("text", std::string(60'000, 'x'))});
  auto answered = ask(*server.lookup, {.constraint = "pages >= 5000", .how_many = 1'000});
  EXPECT_EQ(answered.offers.size(), 34u) << "2 MiB";
  ASSERT_TRUE(answered.rest);
  std::size_t all = answered.offers.size();
  for (bool more = true; more;) {
    CosTrading::OfferSeq next;
    more = answered.rest->next_n(1'000, next);
    ASSERT_FALSE(next.empty());
    all += next.size();
  }
  EXPECT_EQ(all, 100u);
  answered = ask(*server.lookup, {.constraint = "pages >= 5000", .how = How::none, .how_many = 1'000});
  EXPECT_EQ(answered.offers.size(), 100u) << "without properties they are small";
}

// Answers with a number that grows, as slowly as told.
class Evaluator final : public virtual CORBA::servant_traits<CosTradingDynamic::DynamicPropEval>::base_type {
 public:
  explicit Evaluator(std::chrono::milliseconds pause = {}) : pause_(pause) {}
  CORBA::Any evalDP(const std::string& name, CORBA::typecode_reference returned_type,
                    const CORBA::Any& extra_info) override {
    std::this_thread::sleep_for(pause_);
    ++calls;
    std::string extra;
    extra_info >>= extra;
    if (extra == "fail") throw CosTradingDynamic::DPEvalFailure(name, returned_type, extra_info);
    if (extra == "wrong") return any_of(std::string("text"));
    if (extra == "large") return any_of(std::string(100'000, 'x'));
    if (extra == "half") return any_of(std::string(40'000, 'x'));
    return any_of(static_cast<std::int32_t>(calls));
  }
  std::atomic<std::int32_t> calls{0};

 private:
  const std::chrono::milliseconds pause_;
};

// Answers with the number that a function returns.
class Asking final : public virtual CORBA::servant_traits<CosTradingDynamic::DynamicPropEval>::base_type {
 public:
  CORBA::Any evalDP(const std::string&, CORBA::typecode_reference, const CORBA::Any&) override {
    return any_of(static_cast<std::int32_t>(number()));
  }
  std::function<std::uint32_t()> number;
};

struct DynamicQueries : testing::Test {
  explicit DynamicQueries(takt::trading::Limits limits = {}) : server({.limits = limits}) {
    server.types->add_type("Queue", any_object,
                           {property_type<std::string>("id"), property_type<std::int32_t>("length"),
                            property_type<std::int32_t>("fixed", Mode::PROP_READONLY)},
                           {});
  }
  CosTrading::Property dynamic(const std::string& extra,
                               CORBA::object_reference<CosTradingDynamic::DynamicPropEval> by,
                               const std::string& name = "length") {
    return property(name, CosTradingDynamic::DynamicProp(by, IDL::type_code<std::int32_t>(), any_of(extra)));
  }
  void add(const std::string& id, const CosTrading::Property& length) {
    server.registry->_cxx_export(server.object(id), "Queue", {property("id", id), length});
  }
  std::string found(const std::string& constraint, CosTrading::PolicySeq policies = {}) {
    return feature::found(*server.lookup,
                          {.type = "Queue", .constraint = constraint, .policies = std::move(policies)});
  }

  const OrbPair exporter;
  const CORBA::servant_reference<Evaluator> evaluator = CORBA::make_reference<Evaluator>();
  const CORBA::object_reference<CosTradingDynamic::DynamicPropEval> reference =
      exporter.publish<CosTradingDynamic::DynamicPropEval>(evaluator);
  TradingServer server;
};

TEST_F(DynamicQueries, AskForValuesOnce) {
  add("a", dynamic("", reference));
  const auto answered =
      ask(*server.lookup, {.type = "Queue", .constraint = "length > 0", .preference = "max length"});
  ASSERT_EQ(answered.offers.size(), 1u);
  EXPECT_EQ(evaluator->calls, 1) << "for the constraint, the preference and the result";
  std::int32_t length = 0;
  EXPECT_TRUE(answered.offers[0].properties()[1].value() >>= length);
  EXPECT_EQ(length, 1);
  EXPECT_EQ(found("length == 2"), "a") << "another query asks again";
  EXPECT_EQ(found("id == 'x' and length == 3"), "") << "and asks only for what it needs";
  EXPECT_EQ(evaluator->calls, 2);
  EXPECT_EQ(found("length > 0", {policy("use_dynamic_properties", false)}), "");
}

// next_n() asks exporters, and holds no lock meanwhile.
TEST_F(DynamicQueries, ExportersMayUseTheIteratorThatAsksThem) {
  const auto asking = CORBA::make_reference<Asking>();
  const auto asks = exporter.publish<CosTradingDynamic::DynamicPropEval>(asking);
  for (const char* id : {"a", "b", "c"}) add(id, dynamic("", asks));
  const auto answered = ask(*server.lookup, {.type = "Queue", .how_many = 0});
  ASSERT_TRUE(answered.rest);
  asking->number = [&] { return answered.rest->max_left(); };
  CosTrading::OfferSeq offers;
  EXPECT_TRUE(answered.rest->next_n(2, offers));
  ASSERT_EQ(offers.size(), 2u);
  for (std::int32_t i = 0; i < 2; ++i) {
    std::int32_t left = -1;
    ASSERT_EQ(offers[static_cast<std::size_t>(i)].properties().size(), 2u) << "no answer came";
    EXPECT_TRUE(offers[static_cast<std::size_t>(i)].properties()[1].value() >>= left);
    EXPECT_EQ(left, 2 - i);
  }
}

TEST_F(DynamicQueries, ValuesOfOneOfferAreBoundedTogether) {
  using CosTradingDynamic::DynamicProp;
  const auto text = [&](const std::string& name, const std::string& extra) {
    return property(name, DynamicProp(reference, IDL::type_code<std::string>(), any_of(extra)));
  };
  server.registry->_cxx_export(
      server.object("a"), "Queue",
      {property("id", std::string("a")), text("one", "half"), text("two", "half"), text("three", "wrong")});
  const auto answered = ask(*server.lookup, {.type = "Queue"});
  ASSERT_EQ(answered.offers.size(), 1u);
  std::string names;
  for (const auto& each : answered.offers[0].properties()) names += each.name() + " ";
  EXPECT_EQ(names, "id one three ");
}

TEST_F(DynamicQueries, CountAsAbsentIfTheyFail) {
  add("a", dynamic("fail", reference));
  add("b", dynamic("wrong", reference));
  add("c", dynamic("", reference));
  EXPECT_EQ(found("length > 0"), "c");
  EXPECT_EQ(found("exist length"), "c");
  EXPECT_EQ(found("not exist length"), "a b");
  EXPECT_EQ(ask(*server.lookup, {.type = "Queue"}).offers[0].properties().size(), 1u);
  EXPECT_GE(server.state().dynamic_failures(), 4u);
  using CosTradingDynamic::DynamicProp;
  add("d",
      property("text", DynamicProp(reference, IDL::type_code<std::string>(), any_of(std::string("large")))));
  EXPECT_EQ(found("exist text"), "") << "it is larger than an offer may be";
}

TEST_F(DynamicQueries, AreCheckedAtExport) {
  const auto thrown = [&](const CosTrading::Property& bad) { return exception_of([&] { add("x", bad); }); };
  EXPECT_EQ(thrown(dynamic("", reference, "fixed")),
            "CosTrading::ReadonlyDynamicProperty{type=\"Queue\",name=\"fixed\"}");
  EXPECT_EQ(thrown(dynamic("", nullptr)).substr(0, 32), "CosTrading::PropertyTypeMismatch");
  EXPECT_EQ(
      thrown(property("length", CosTradingDynamic::DynamicProp(reference, IDL::type_code<double>(), {})))
          .substr(0, 32),
      "CosTrading::PropertyTypeMismatch");
  EXPECT_EQ(thrown(dynamic("", reference)), "nothing");
}

struct SlowDynamicQueries : DynamicQueries {
  static takt::trading::Limits limits() {
    takt::trading::Limits limits;
    limits.property_timeout = std::chrono::milliseconds(100);
    limits.query_time = std::chrono::milliseconds(400);
    limits.property_calls = 3;
    return limits;
  }
  SlowDynamicQueries() : DynamicQueries(limits()) {}
  const CORBA::servant_reference<Evaluator> slow =
      CORBA::make_reference<Evaluator>(std::chrono::milliseconds(300));
  const CORBA::object_reference<CosTradingDynamic::DynamicPropEval> slow_reference =
      exporter.publish<CosTradingDynamic::DynamicPropEval>(slow);
};

TEST_F(SlowDynamicQueries, AnAddressThatIsSilentIsNotAskedAgain) {
  add("a", dynamic("", slow_reference));
  add("b", dynamic("", slow_reference));
  EXPECT_EQ(found("length > 0"), "");
  EXPECT_EQ(server.state().dynamic_calls(), 1u);
  server.registry->withdraw_using_constraint("Queue", "not exist length");
  EXPECT_EQ(server.state().dynamic_calls(), 3u) << "only what was asked for its value is withdrawn";
  EXPECT_EQ(found(""), "") << "no lock was held, and nothing hangs";
}

TEST_F(DynamicQueries, AnObjectThatRefusesSaysNothingOfItsServer) {
  class Throwing final : public virtual CORBA::servant_traits<CosTradingDynamic::DynamicPropEval>::base_type {
    CORBA::Any evalDP(const std::string&, CORBA::typecode_reference, const CORBA::Any&) override {
      throw CORBA::TRANSIENT();
    }
  };
  const auto throwing = CORBA::make_reference<Throwing>();
  add("a", dynamic("", exporter.publish<CosTradingDynamic::DynamicPropEval>(throwing)));
  const auto gone =
      exporter.root->create_reference(CosTradingDynamic::DynamicPropEval::_interface_repository_id());
  add("b", dynamic("", exporter.seen_by_client<CosTradingDynamic::DynamicPropEval>(gone)));
  add("c", dynamic("", reference));
  EXPECT_EQ(found("length > 0"), "c");
  server.registry->withdraw_using_constraint("Queue", "not exist length");
  EXPECT_EQ(found("length > 0"), "c");
  EXPECT_EQ(found(""), "c");
}

TEST_F(SlowDynamicQueries, CallsAreBounded) {
  for (int i = 0; i < 5; ++i) add("q" + std::to_string(i), dynamic("", reference));
  const auto few = ask(*server.lookup, {.type = "Queue", .constraint = "length > 0"});
  EXPECT_EQ(ids_of(few.offers), "q0 q1 q2");
  EXPECT_EQ(few.limits, CosTrading::PolicyNameSeq{"search_card"});
  EXPECT_EQ(evaluator->calls, 3);
  const auto ranked =
      ask(*server.lookup, {.type = "Queue", .preference = "min length", .how = How::some, .names = {"id"}});
  EXPECT_EQ(ids_of(ranked.offers), "q0 q1 q2 q3 q4");
  EXPECT_EQ(ranked.limits, CosTrading::PolicyNameSeq{"search_card"}) << "two have no rank";
  EXPECT_EQ(exception_of([&] { server.registry->withdraw_using_constraint("Queue", "not exist length"); }),
            "IMP_LIMIT")
      << "two were not asked for their values";
  EXPECT_EQ(ask(*server.lookup, {.type = "Queue", .how = How::none}).offers.size(), 5u);
}

struct TightDynamicQueries : DynamicQueries {
  static takt::trading::Limits limits() {
    takt::trading::Limits limits;
    limits.query_bytes = 90'000;  // for two values of 40,000 octets, but a query has half
    return limits;
  }
  TightDynamicQueries() : DynamicQueries(limits()) {}
};

TEST_F(TightDynamicQueries, ValuesOfAllQueriesAreBoundedTogether) {
  using CosTradingDynamic::DynamicProp;
  for (const char* id : {"a", "b"})
    add(id,
        property("one", DynamicProp(reference, IDL::type_code<std::string>(), any_of(std::string("half")))));
  for (int i = 0; i < 2; ++i) {
    const auto answered = ask(*server.lookup, {.type = "Queue", .constraint = "exist one"});
    EXPECT_EQ(ids_of(answered.offers), "a") << "a query gives back what it took";
    EXPECT_EQ(answered.limits, CosTrading::PolicyNameSeq{"search_card"});
  }
}

// Writers and readers at once: each query sees offers that are whole.
TEST_F(Queries, RunBesideChanges) {
  std::atomic<bool> stop{false};
  std::atomic<int> rounds{0};
  std::vector<std::jthread> writers;
  for (int w = 0; w < 2; ++w)
    writers.emplace_back([&, w] {
      for (int i = 0; !stop; ++i) {
        const auto id = server.add("w" + std::to_string(w), 1000 + i);
        server.registry->modify(id, {}, {property("pages", std::int32_t{2000 + i})});
        server.registry->withdraw(id);
        ++rounds;
      }
    });
  for (int i = 0; i < 200 || rounds < 50; ++i) {
    const int before = rounds;
    const auto offers = ask(lookup(), {.constraint = "pages >= 1000 or pages < 1000"}).offers;
    EXPECT_GE(offers.size(), 4u);
    // A query holds up no writer, so it may find one offer, and the next that the same writer has made
    // meanwhile.
    EXPECT_LE(offers.size(), 4u + 2 * 2 + static_cast<std::size_t>(rounds - before));
  }
  stop = true;
  writers.clear();
  EXPECT_EQ(found({}), "a b c d");
}

}  // namespace
}  // namespace feature
