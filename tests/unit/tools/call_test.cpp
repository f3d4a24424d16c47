// The parts of takt call that need no server: its words, its IDL, and the operation that a user means.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <takt/cdr/mapping/type_code.h>

#include "call/arguments.h"
#include "call/choose.h"
#include "call/words.h"
#include "common/command.h"
#include "json/members.h"
#include "types/catalogue.h"
#include "types/describe.h"

namespace takt::command {
namespace {

using Words = std::vector<std::string>;

TEST(CallWords, ThatAreArgumentsAreTaken) {
  Words words{"call",  "--idl",    "a.idl", "ref",           "-v", "add", "-5",
              "[1,2]", "--repeat", "3",     "--format=text", "--", "-x",  "--idl"};
  EXPECT_EQ(take_call_arguments(words), (Words{"-5", "[1,2]", "-x", "--idl"}));
  EXPECT_EQ(words, (Words{"call", "--idl", "a.idl", "ref", "-v", "add", "--repeat", "3", "--format=text"}));
}

TEST(CallWords, MayBeFew) {
  Words words{"call"};
  EXPECT_EQ(take_call_arguments(words), Words());
  words = {"call", "-", "x", "-"};
  EXPECT_EQ(take_call_arguments(words), Words{"-"});
  EXPECT_EQ(words, (Words{"call", "-", "x"}));
  words = {"call", "ref", "x", "-d", "-", "-d"};
  EXPECT_EQ(take_call_arguments(words), Words());
}

TEST(CallWords, OptionsOfTheOrbKeepTheirValues) {
  Words words{"call", "-ORBConnectTimeout", "1s", "ref", "x", "7", "-ORBLogLevel", "info"};
  EXPECT_EQ(take_call_arguments(words), Words{"7"});
  EXPECT_EQ(words, (Words{"call", "-ORBConnectTimeout", "1s", "ref", "x", "-ORBLogLevel", "info"}));
}

struct CallCatalogue : testing::Test {
  CallCatalogue() {
    char name[] = "/tmp/call_test_XXXXXX";
    folder = mkdtemp(name);
    const std::string file = folder + "/a.idl";
    std::ofstream(file) << R"(
module M {
  struct Point { long x; @optional string name; };
  struct Tree { sequence<Tree> children; Point at; };
  union Either switch(long) { case 1: default: long number; case 2: string text; };
  exception Failed { string why; };
  interface A { long size(); void walk(in Tree root, inout long steps, out string text) raises (Failed); oneway void stop(); };
  interface B : A { attribute double rate; readonly attribute string label; };
  interface C { string size(in octet unit); };
  local interface L { void hidden(); };
};)";
    auto read = catalogue_of_idl({file}, {});
    EXPECT_TRUE(read) << (read ? "" : read.error());
    if (read) catalogue = std::move(*read);
  }
  ~CallCatalogue() override { std::filesystem::remove_all(folder); }

  // The operation's signature, or the failure's text.
  std::string chosen(const std::string& operation, const std::string& interface = {},
                     const std::string& type_id = {}, const std::string& object_is = {}) {
    Wanted wanted{operation, interface, {}};
    try {
      return signature_of(
          choose(catalogue, wanted, type_id, [&](const std::string& id) { return id == object_is; }));
    } catch (const Failure& failure) {
      return failure.text;
    }
  }

  std::string folder;
  Catalogue catalogue;
};

TEST_F(CallCatalogue, HasTheOperationsOfAllInterfacesButLocalOnes) {
  ASSERT_EQ(catalogue.interfaces.size(), 3u);
  EXPECT_EQ(catalogue.interfaces[1].name, "M::B");
  EXPECT_TRUE(catalogue.interfaces[1].find("walk"));
  EXPECT_TRUE(catalogue.interfaces[1].find("_set_rate"));
  EXPECT_FALSE(catalogue.interfaces[1].find("_set_label"));
  EXPECT_TRUE(catalogue.find("IDL:M/C:1.0"));
  EXPECT_TRUE(catalogue.find("::M::C"));
  EXPECT_TRUE(catalogue.type_named("M::Tree"));
  EXPECT_FALSE(catalogue.type_named("M::Nothing"));
}

TEST_F(CallCatalogue, GivesTheOperationThatIsMeant) {
  EXPECT_EQ(chosen("walk"),
            "void walk(in M::Tree root, inout long steps, out string text) raises (M::Failed)");
  EXPECT_EQ(chosen("rate"), "attribute double rate");
  EXPECT_EQ(chosen("_get_rate"), "attribute double rate");
  EXPECT_EQ(chosen("rate=2.5"), "attribute double rate (written)");
  EXPECT_EQ(chosen("size", "M::C"), "string size(in octet unit)");
  EXPECT_EQ(chosen("size", "", "IDL:M/B:1.0"), "long size()");
  EXPECT_EQ(chosen("size", "", "", "IDL:M/C:1.0"), "string size(in octet unit)");
}

TEST_F(CallCatalogue, NamesTheNearestOfWhatIsNotThere) {
  EXPECT_EQ(chosen("wlak"),
            "no interface of the IDL has an operation or attribute 'wlak'; the nearest is 'walk'");
  EXPECT_EQ(chosen("rat", "M::B"),
            "interface M::B has no operation or attribute 'rat'; the nearest is 'rate'");
  EXPECT_EQ(chosen("walk", "M::D").find("there is no interface 'M::D'"), 0u);
  EXPECT_NE(chosen("size").find("choose one with --interface:\n  M::A: long size()"), std::string::npos);
}

TEST_F(CallCatalogue, WritesAnAttributeWithTheValueBehindTheName) {
  Wanted wanted{"rate=2.5", {}, {}};
  choose(catalogue, wanted, {}, {});
  EXPECT_EQ(wanted.arguments, Words{"2.5"});
}

TEST_F(CallCatalogue, HasExamplesThatFitTheirTypes) {
  const Operation& walk = *catalogue.find("M::A")->find("walk");
  const json::Json arguments = example_arguments(walk);
  EXPECT_EQ(arguments.dump(), R"({"root":{"children":[],"at":{"x":0,"name":null}},"steps":0})");
  json::Values values({});
  EXPECT_NO_THROW(
      values.any_of(example_of(catalogue.type_named("M::Point")), catalogue.type_named("M::Point")));
}

TEST_F(CallCatalogue, HasOptionalMembersThatMayBeLeftOut) {
  const auto point = catalogue.type_named("M::Point");
  for (const std::string text : {R"({"x":1,"name":null})", R"({"x":1,"name":"a"})"}) {
    json::Values values({});
    EXPECT_EQ(values.json_of(values.any_of(json::Json::parse(text), point)).dump(), text);
  }
  json::Values values({});
  EXPECT_EQ(values.json_of(values.any_of(json::Json::parse(R"({"x":1})"), point)).dump(),
            R"({"x":1,"name":null})");
}

TEST_F(CallCatalogue, HasTheLabelsBesideADefault) {
  const auto either = catalogue.type_named("M::Either");
  ASSERT_EQ(either->member_count(), 3u);
  EXPECT_EQ(either->default_index(), 1);
  std::int32_t label = 0;
  EXPECT_TRUE(either->member_label(0) >>= label);
  EXPECT_EQ(label, 1);
  EXPECT_EQ(either->member_name(0), either->member_name(1));
}

TEST_F(CallCatalogue, TakesAsManyArgumentsAsTheOperation) {
  const Operation& walk = *catalogue.find("M::A")->find("walk");
  EXPECT_EQ(arguments_from(walk, {"{}", "1"}, "").size(), 2u);
  EXPECT_EQ(arguments_from(walk, {}, R"({"steps": 1, "root": {}})")[1], 1);
  EXPECT_EQ(arguments_from(walk, {}, "[{}, 1]")[1], 1);
  EXPECT_THROW(arguments_from(walk, {"1"}, ""), Failure);
  EXPECT_THROW(arguments_from(walk, {"1", "2", "3"}, ""), Failure);
  EXPECT_THROW(arguments_from(walk, {}, "7"), Failure);
  EXPECT_THROW(arguments_from(walk, {}, R"({"steps": 1})"), Failure);
  EXPECT_THROW(arguments_from(walk, {}, R"({"steps": 1, "root": {}, "text": ""})"), Failure);
}

}  // namespace
}  // namespace takt::command
