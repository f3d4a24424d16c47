// A trader that uses the repository of service types of another process.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "../../eventually.h"
#include "../folder.h"
#include "../rows.h"
#include "CosTradingReposS.h"
#include "served.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

// Calls of the repository that may hang, lie and fail.
class Repository final : public CORBA::servant_traits<Types>::base_type {
 public:
  Types::IncarnationNumber incarnation() override { return {0, now}; }
  Types::IncarnationNumber add_type(const std::string&, const std::string&, const Types::PropStructSeq&,
                                    const Types::ServiceTypeNameSeq&) override {
    throw CORBA::NO_PERMISSION();
  }
  void remove_type(const std::string&) override {}
  Types::ServiceTypeNameSeq list_types(const Types::SpecifiedServiceTypes&) override { return {}; }
  Types::TypeStruct describe_type(const std::string& name) override { return fully_describe_type(name); }
  Types::TypeStruct fully_describe_type(const std::string& name) override {
    ++described;
    if (name == "Hangs") {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, 5s, [this] { return over; });
    }
    if (name == "Fails") throw CORBA::INTERNAL();
    Types::TypeStruct type;
    type.if_name(any_object);
    type.incarnation({0, 1});
    if (name == "Wide")
      for (int i = 0; i < 65; ++i) type.props().push_back(property_type<bool>("p" + std::to_string(i)));
    if (name == "Deep") type.super_types().assign(65, "Printer");
    if (name == "Long") type.super_types({std::string(257, 'x')});
    if (name == "Typeless") type.props().push_back({"p", CORBA::_tc_void, Mode::PROP_NORMAL});
    return type;
  }
  void mask_type(const std::string&) override {}
  void unmask_type(const std::string&) override {}
  void end() {
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }

  std::atomic<std::uint32_t> now{1};
  std::atomic<int> described{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
};

struct OtherRepository : testing::Test {
  OtherRepository() {
    home.add_printer();
    use(away, home.types);
  }
  static ObjectRef use(const TradingServer& trader, const ObjectRef& repository) {
    return trader.lookup->admin_if()->set_type_repos(repository);
  }
  std::string found(const std::string& type = "Printer", CosTrading::PolicySeq policies = {}) {
    return feature::found(*away.lookup, {.type = type, .policies = std::move(policies)});
  }

  const CORBA::servant_reference<Repository> servant = CORBA::make_reference<Repository>();
  TradingServer home, away;  // each has ORBs of its own
  const CORBA::object_reference<Types> repository = home.publish<Types>(servant);
};

TEST_F(OtherRepository, HasTheTypesOfOffers) {
  EXPECT_TRUE(away.lookup->type_repos()->_is_equivalent(home.types));
  const std::string first = away.add("a", 1);
  const CallRow rows[] = {
      {"export: unknown", [&] { away.add("b", 1, {}, "Plotter"); },
       "CosTrading::UnknownServiceType{type=\"Plotter\"}"},
      {"export: illegal", [&] { away.add("b", 1, {}, "<>"); }, "CosTrading::IllegalServiceType{type=\"<>\"}"},
      {"export: mandatory",
       [&] { away.registry->_cxx_export(away.object("x"), "Printer", {property("id", std::string("b"))}); },
       "CosTrading::MissingMandatoryProperty{type=\"Printer\",name=\"pages\"}"},
      {"export: another type of value", [&] { away.add("b", 1, {property("floor", std::string("second"))}); },
       "CosTrading::PropertyTypeMismatch"},
      {"modify", [&] { away.registry->modify(first, {}, {property("pages", std::int32_t{7})}); }, "nothing"},
      {"modify: mandatory", [&] { away.registry->modify(first, {"pages"}, {}); },
       "CosTrading::Register::MandatoryProperty{type=\"Printer\",name=\"pages\"}"},
      {"query: unknown", [&] { found("Plotter"); }, "CosTrading::UnknownServiceType{type=\"Plotter\"}"},
      {"withdraw_using_constraint: no match",
       [&] { away.registry->withdraw_using_constraint("Printer", "pages > 7"); },
       "CosTrading::Register::NoMatchingOffers"},
  };
  expect_rows(rows, exception_of);
  EXPECT_EQ(found(), "a");
  EXPECT_EQ(feature::found(*home.lookup, {}), "") << "offers are each trader's own";
  ASSERT_EQ(away.state().types().size(), 1u);
  EXPECT_EQ(away.state().types().front().offers(), 1u);
  away.registry->withdraw_using_constraint("Printer", "pages == 7");
  EXPECT_EQ(found(), "");
}

TEST_F(OtherRepository, ChangesWhileItIsUsed) {
  EXPECT_EQ(found(), "");
  home.types->add_type("Laser", any_object, {}, {"Printer"});
  away.add("a", 1);
  away.add("b", 2, {}, "Laser");
  EXPECT_EQ(found(), "a b");
  EXPECT_EQ(found("Laser"), "b");
  EXPECT_EQ(found("Printer", {policy("exact_type_match", true)}), "a");
  home.types->mask_type("Laser");
  EXPECT_EQ(exception_of([&] { away.add("c", 3, {}, "Laser"); }),
            "CosTrading::UnknownServiceType{type=\"Laser\"}");
  EXPECT_EQ(found(), "a b") << "as in the trader's own repository";
  home.types->remove_type("Laser");
  EXPECT_EQ(exception_of([&] { away.add("c", 3, {}, "Laser"); }),
            "CosTrading::UnknownServiceType{type=\"Laser\"}");
  EXPECT_EQ(found(), "a");
  home.types->add_type("Laser", any_object, {}, {});
  EXPECT_EQ(found(), "a") << "it extends nothing now";
  EXPECT_EQ(found("Laser"), "b");
  EXPECT_TRUE(use(away, away.types)->_is_equivalent(home.types)) << "the one before";
  EXPECT_EQ(exception_of([&] { found(); }), "CosTrading::UnknownServiceType{type=\"Printer\"}");
  EXPECT_EQ(away.service->offers(), 2u);
}

TEST_F(OtherRepository, IsKeptInTheStore) {
  const Folder folder;
  const std::string store = folder / "trading.db";
  {
    TradingServer first({.store = store});
    EXPECT_TRUE(use(first, home.types)->_is_equivalent(first.types)) << "its own was used before";
    first.add("a", 1);
  }
  TradingServer second({.store = store});
  EXPECT_TRUE(second.lookup->type_repos()->_is_equivalent(home.types));
  EXPECT_EQ(feature::found(*second.lookup, {}), "a");
  second.add("b", 2);
  EXPECT_EQ(feature::found(*second.lookup, {}), "a b");
}

TEST_F(OtherRepository, DoesNotAnswer) {
  std::optional<TradingServer> gone(std::in_place);
  gone->add_printer();
  use(away, gone->types);
  const std::string id = away.add("a", 1);
  gone.reset();
  EXPECT_EQ(exception_of([&] { found(); }), "TRANSIENT");
  EXPECT_EQ(exception_of([&] { away.add("b", 1); }), "TRANSIENT");
  EXPECT_EQ(away.registry->describe(id).type(), "Printer");
  EXPECT_EQ(exception_of([&] { use(away, away.object("x")); }), "TRANSIENT");
  use(away, home.types);
  EXPECT_EQ(found(), "a");
}

TEST_F(OtherRepository, Lies) {
  use(away, repository);
  away.add("a", 1);
  EXPECT_EQ(found(), "a");
  const int before = servant->described;
  for (int i = 0; i < 5; ++i) found();
  EXPECT_EQ(servant->described, before) << "the type is known, and its repository has not added any";
  servant->now = 2;
  EXPECT_EQ(found(), "a");
  const CallRow rows[] = {
      {"too many properties", [&] { found("Wide"); }, "IMP_LIMIT"},
      {"too many supertypes", [&] { found("Deep"); }, "IMP_LIMIT"},
      {"a name that is too long", [&] { found("Long"); }, "IMP_LIMIT"},
      {"a property without a type", [&] { found("Typeless"); }, "BAD_TYPECODE"},
      {"an error", [&] { found("Fails"); }, "TRANSIENT"},
      {"and the others still work", [&] { EXPECT_EQ(found(), "a"); }, "nothing"},
  };
  expect_rows(rows, exception_of);
}

// Calls that need no type do not wait for the repository, and it is not asked again soon.
TEST_F(OtherRepository, Hangs) {
  TradingServer hasty({.limits = {.link_timeout = 400ms, .link_pause = 1h}});
  hasty.add_printer();
  const std::string id = hasty.add("a", 1);
  use(hasty, repository);
  std::atomic<bool> over{false};
  std::thread waiting([&] {
    EXPECT_EQ(exception_of([&] { hasty.add("b", 1, {}, "Hangs"); }), "TRANSIENT");
    over = true;
  });
  EXPECT_TRUE(eventually([&] { return servant->described != 0; }));
  EXPECT_EQ(hasty.registry->describe(id).type(), "Printer");
  hasty.registry->withdraw(id);
  EXPECT_FALSE(over) << "no lock is held meanwhile";
  waiting.join();
  servant->end();
  EXPECT_EQ(exception_of([&] { hasty.add("b", 1); }), "TRANSIENT");
  EXPECT_EQ(servant->described, 1);
}

}  // namespace
}  // namespace feature
