// Lanes declared by options: which adapters have them, which thread serves, and what is refused.
#include <gtest/gtest.h>

#include <pthread.h>

#include <fstream>

#include <takt/orb/configuration.h>

#include "gate.h"
#include "served.h"

namespace feature {
namespace {

using Strings = std::vector<std::string>;

std::string thread_name() {
  char name[16] = {};
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  return name;
}

Strings with_lanes(const std::string& lanes, const Strings& more = {}) {
  Strings options{"-ORBLanes", lanes, "-ORBSchedulingClass", "other"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

const Strings client_options{"-ORBSchedulingClass", "other"};

// The thread that serves a call with the priority; -1: a call without one.
std::string served_by(const Served& served, const Poa& poa, int priority) {
  std::string name;
  const auto echo = served.echo_in(poa, [&] { name = thread_name(); });
  std::jthread([&] {
    if (priority >= 0)
      IDL::traits<RTCORBA::Current>::narrow(served.client->resolve_initial_references("RTCurrent"))
          ->the_priority(static_cast<RTCORBA::Priority>(priority));
    echo->nothing();
  }).join();
  return name;
}

TEST(ConfiguredLanes, ServeTheRootPoaByTheirClientsPriority) {
  for (const Strings& more :
       {Strings{}, Strings{"-ORBLaneQueuedRequests", "10"}, Strings{"-ORBLaneBorrowing", "on"}}) {
    const Served served("iiop://127.0.0.1:0", with_lanes("40=1+1,10=2", more), client_options);
    EXPECT_EQ(served_by(served, served.root, 40), "takt-lane-40");
    EXPECT_EQ(served_by(served, served.root, 10), "takt-lane-10");
    EXPECT_EQ(served_by(served, served.root, -1).substr(0, 10), "takt-lane-");
  }
}

TEST(ConfiguredLanes, ServeAdaptersThatNameNoPool) {
  const Served served("iiop://127.0.0.1:0", with_lanes("10=1;40=1"), client_options);
  const auto rt = rt_of(served.server);
  EXPECT_EQ(served_by(served, served.make_poa({}), 40), "takt-lane-40");
  const auto declared = rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 40);
  EXPECT_EQ(served_by(served, served.make_poa({declared}), 10), "takt-lane-40");
  const auto without_lane = rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 30);
  EXPECT_THROW(served.make_poa({without_lane}), PortableServer::POA::InvalidPolicy);
  const auto own = rt->create_threadpool(0, 1, 0, 7, false, 0, 0);
  EXPECT_EQ(served_by(served, served.make_poa({rt->create_threadpool_policy(own)}), 40), "takt-lane-7");
}

TEST(ConfiguredLanes, AreReadFromAFile) {
  const Folder folder;
  std::ofstream(folder / "orb.toml") << "Lanes = [\"10=1\", \"40=1\"]\nSchedulingClass = \"other\"\n";
  const Served served("iiop://127.0.0.1:0", {"-ORBConfig", folder / "orb.toml"}, client_options);
  EXPECT_EQ(served_by(served, served.root, 40), "takt-lane-40");
}

// The error of an ORB whose configuration file has these lines.
std::string refusal_of_file(const std::string& lines) {
  const Folder folder;
  std::ofstream(folder / "orb.toml") << lines << "\n";
  try {
    make_orb({"-ORBConfig", folder / "orb.toml"}, "refused")->destroy();
  } catch (const CORBA::SystemException& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

TEST(ConfiguredLanes, ThatCannotBeAreRefusedWithTheirPlace) {
  const auto says = [](const std::string& lines, const std::string& text) {
    const std::string said = refusal_of_file("LogLevel = \"off\"\n" + lines);
    EXPECT_NE(said.find(text), std::string::npos) << said;
    EXPECT_NE(said.find("orb.toml:2"), std::string::npos) << said;
  };
  says("Lanes = [\"10=0\"]", "1 to 10000 threads");
  says("Lanes = [\"10=1+x\"]", "PRIORITY=THREADS+DYNAMIC");
  says("Lanes = [\"10=1\", \"10=2\"]", "there is another lane of that priority");
  says("Lanes = [\"40000=1\"]", "with a priority from 0 to 32767");
  says("Lane = [\"10=1\"]", "did you mean Lanes?");
  says("LaneQueuedRequests = 5", "no lane whose queue");
  says("LaneQueuedRequests = -5", "a number from 0 to 1000000");
}

// Two concurrent calls need two threads.
void expect_two_at_once(const Served& served, bool expected) {
  Gate gate;
  const auto echo = served.echo_in(served.root, [&] { gate.wait(); });
  std::jthread one([&] { echo->nothing(); }), two([&] { echo->nothing(); });
  EXPECT_EQ(gate.entered_by(2, expected ? 10s : 200ms), expected);
  gate.open();
}

TEST(ConfiguredLanes, CanHaveMoreDynamicThreadsWhileTheOrbRuns) {
  const Served served("iiop://127.0.0.1:0", with_lanes("10=1", {"-ORBLaneQueuedRequests", "10"}),
                      client_options);
  auto configuration = takt::Configuration::of(served.server);
  expect_two_at_once(served, false);
  configuration.set("Lanes", "10=1+1");
  expect_two_at_once(served, true);
  EXPECT_EQ(configuration.get("Lanes"), Strings{"10=1+1"});
  EXPECT_THROW(configuration.set("Lanes", "10=2"), CORBA::BAD_INV_ORDER) << "static threads";
  EXPECT_THROW(configuration.set("Lanes", "11=1"), CORBA::BAD_INV_ORDER) << "another priority";
  EXPECT_THROW(configuration.set("Lanes", "10=1;40=1"), CORBA::BAD_INV_ORDER) << "another lane";
  EXPECT_THROW(configuration.set("Lanes", "10=none"), CORBA::BAD_PARAM);
  EXPECT_EQ(configuration.get("Lanes"), Strings{"10=1+1"});
}

TEST(ConfiguredLanes, ThatDoNotCountTheirThreadsKeepThem) {
  const Served served("iiop://127.0.0.1:0", with_lanes("10=1"), client_options);
  EXPECT_THROW(takt::Configuration::of(served.server).set("Lanes", "10=1+1"), CORBA::BAD_INV_ORDER);
}

}  // namespace
}  // namespace feature
