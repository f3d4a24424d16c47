// The plug-in libtakt_faults: each fault happens to real calls, and its absence changes none.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include <takt/orb/configuration.h>

#include "../../eventually.h"
#include "echo_servant.h"
#include "folder.h"
#include "orb_pair.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;
using Clock = std::chrono::steady_clock;
using EchoRef = IDL::traits<Calls::Echo>::ref_type;

class Counting final : public EchoServant {
 public:
  std::uint8_t cube(std::uint8_t x) override {
    ++cubes;
    return EchoServant::cube(x);
  }
  void note(std::int32_t value) override {
    ++notes;
    EchoServant::note(value);
  }
  std::atomic<int> cubes{0}, notes{0};
};

enum class At : std::uint8_t { client, server };

class Faulted : public Folder {
 public:
  Faulted(At end, const std::string& plan, const Options& client_options = {},
          const std::string& endpoints = OrbPair::loopback)
      : orbs_(end == At::server ? with_plan(plan) : Options(),
              with(end == At::client ? with_plan(plan) : Options(), client_options), endpoints),
        servant(CORBA::make_reference<Counting>()),
        echo(orbs_.publish<Calls::Echo>(servant)) {}

 private:
  Options with_plan(const std::string& plan) const {
    std::ofstream(*this / "faults.toml") << plan;
    return {"-ORBPlugin", FAULTS ":" + *this / "faults.toml"};
  }
  OrbPair orbs_;

 public:
  const CORBA::servant_reference<Counting> servant;
  const EchoRef echo;
};

constexpr const char* lose_first = "[[fault]]\nkind = \"lose\"\noperation = \"cube\"\nmost = 1\n";
constexpr const char* lose_first_reply =
    "[[fault]]\nkind = \"lose\"\nmessage = \"reply\"\noperation = \"cube\"\nmost = 1\n";
const Options short_timeout{"-ORBRoundTripTimeout", "100ms"};

class LostRequests : public testing::TestWithParam<const char*> {};

TEST_P(LostRequests, NeverReachTheServant) {
  const Faulted orbs(At::client, lose_first, short_timeout, GetParam());
  EXPECT_THROW(orbs.echo->cube(2), CORBA::TIMEOUT);
  EXPECT_EQ(orbs.echo->cube(2), 8);
  EXPECT_EQ(orbs.servant->cubes, 1);
}

INSTANTIATE_TEST_SUITE_P(Over, LostRequests, testing::Values("iiop://127.0.0.1:0", "unix:", "shm:"),
                         [](const auto& info) { return "transport" + std::to_string(info.index); });

TEST(LostReplies, AreOfRequestsThatWereServed) {
  const Faulted orbs(At::server, lose_first_reply, short_timeout);
  EXPECT_THROW(orbs.echo->cube(2), CORBA::TIMEOUT);
  EXPECT_EQ(orbs.echo->cube(2), 8);
  EXPECT_EQ(orbs.servant->cubes, 2);
}

TEST(LostOneways, AreLostInSilence) {
  const Faulted orbs(At::client, "[[fault]]\nkind = \"lose\"\noperation = \"note\"\nmost = 1\n");
  orbs.echo->note(1);
  orbs.echo->note(2);
  EXPECT_EQ(orbs.echo->noted(), 2);
  EXPECT_EQ(orbs.servant->notes, 1);
}

TEST(DoubledRequests, AreServedTwiceAndAnsweredOnce) {
  const Faulted orbs(At::client, "[[fault]]\nkind = \"twice\"\noperation = \"cube\"\n");
  for (int i = 1; i <= 20; ++i) {
    EXPECT_EQ(orbs.echo->cube(3), 27);
    EXPECT_TRUE(eventually([&] { return orbs.servant->cubes == 2 * i; })) << orbs.servant->cubes;
  }
  orbs.echo->nothing();
}

TEST(DelayedReplies, MissDeadlines) {
  const Faulted orbs(
      At::server,
      "[[fault]]\nkind = \"delay\"\nmessage = \"reply\"\noperation = \"cube\"\nmost = 1\ntime = \"300ms\"\n",
      short_timeout);
  EXPECT_THROW(orbs.echo->cube(2), CORBA::TIMEOUT);
  EXPECT_EQ(orbs.servant->cubes, 1);
}

TEST(DelayedRequests, KeepTheirCaller) {
  const Faulted orbs(
      At::client, "[[fault]]\nkind = \"delay\"\noperation = \"cube\"\ntime = \"20ms\"\nup-to = \"30ms\"\n");
  const auto begun = Clock::now();
  EXPECT_EQ(orbs.echo->cube(2), 8);
  EXPECT_GE(Clock::now() - begun, 20ms);
}

TEST(CorruptedRequests, HaveOtherArguments) {
  const Faulted orbs(At::client, "[[fault]]\nkind = \"corrupt\"\noperation = \"_set_level\"\n");
  for (int i = 0; i < 20; ++i) {
    orbs.echo->level(5);
    EXPECT_NE(orbs.echo->level(), 5);
  }
  EXPECT_EQ(orbs.echo->name(), "echo");
}

// The call ends, with a value or an exception, whatever octets arrive.
TEST(CorruptedReplies, EndTheirCalls) {
  const Faulted orbs(At::server, "[[fault]]\nkind = \"corrupt\"\nmessage = \"reply\"\noctets = 8\n",
                     {"-ORBRoundTripTimeout", "1s"});
  int ended = 0;
  for (std::uint8_t i = 0; i < 50; ++i) {
    try {
      (void)orbs.echo->echo_points({Calls::Point(1, 2.5, "a"), Calls::Point(3, 4.5, "b")});
      ++ended;
    } catch (const CORBA::SystemException&) {
      ++ended;
    }
  }
  EXPECT_EQ(ended, 50);
}

TEST(Faults, ChangeNoOtherCalls) {
  const Faulted orbs(
      At::client,
      "[[fault]]\nkind = \"lose\"\noperation = \"nothing\"\n[[fault]]\nkind = \"corrupt\"\nrate = 0\n");
  const Calls::Octets many(3'000'000, 7);
  EXPECT_EQ(orbs.echo->echo_octets(many), many);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::uint8_t x = 0; x < 50; ++x)
        EXPECT_EQ(orbs.echo->cube(x), static_cast<std::uint8_t>(x * x * x));
    });
  for (auto& thread : threads) thread.join();
}

TEST(Faults, HappenAgainByTheSeed) {
  const auto lost = [] {
    const Faulted orbs(At::client,
                       "seed = 5\n[[fault]]\nkind = \"lose\"\noperation = \"note\"\nrate = 0.5\n");
    std::vector<std::int32_t> all;
    for (std::int32_t i = 1; i <= 20; ++i) {
      orbs.echo->note(i);
      if (orbs.echo->noted() != i) all.push_back(i);
    }
    return all;
  };
  const auto first = lost();
  EXPECT_GT(first.size(), 3u);
  EXPECT_LT(first.size(), 17u);
  EXPECT_EQ(first, lost());
}

TEST(Faults, HappenOnLaterConnectionsOfARunningOrb) {
  const Folder folder;
  std::ofstream(folder / "faults.toml") << lose_first;
  const OrbPair orbs({}, short_timeout);
  takt::Configuration::of(orbs.client).add("Plugin", FAULTS ":" + folder / "faults.toml");
  const auto servant = CORBA::make_reference<Counting>();
  const EchoRef echo = orbs.publish<Calls::Echo>(servant);
  EXPECT_THROW(echo->cube(2), CORBA::TIMEOUT);
  EXPECT_EQ(echo->cube(2), 8);
}

std::string refusal(const std::string& plugin) {
  try {
    make_orb({"-ORBPlugin", plugin}, "refused")->destroy();
  } catch (const CORBA::INITIALIZE& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

TEST(Faults, AreRefusedWithTheReason) {
  const Folder folder;
  EXPECT_NE(refusal(FAULTS).find("it takes a file of faults"), std::string::npos);
  EXPECT_NE(refusal(FAULTS ":" + folder / "none").find("cannot read " + folder / "none"), std::string::npos);
  EXPECT_NE(refusal(FAULTS ":" + folder.path).find("cannot read"), std::string::npos);
  std::ofstream(folder / "wrong.toml") << "[[fault]]\nkind = \"explode\"\n";
  const std::string wrong = refusal(FAULTS ":" + folder / "wrong.toml");
  EXPECT_NE(wrong.find("wrong.toml:2:8: there is no kind 'explode'; write delay, lose, twice or corrupt"),
            std::string::npos)
      << wrong;
}

}  // namespace
}  // namespace feature
