// Servants that answer later (takt-idl --amh), over each concurrency and transport.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "later_desk.h"

namespace late {
namespace {

using feature::OrbPair;

struct Way {
  const char* concurrency;
  const char* endpoint;
};
std::string name_of(const testing::TestParamInfo<Way>& info) {
  const std::string endpoint = info.param.endpoint;
  std::string name = endpoint.substr(0, endpoint.find(':')) + "_" + info.param.concurrency;
  std::ranges::replace(name, '-', '_');
  return name;
}

class LateAnswers : public testing::TestWithParam<Way> {
 protected:
  LateAnswers() : orbs({"-ORBServerConcurrency", GetParam().concurrency}, {}, GetParam().endpoint) {
    desk = orbs.publish<Late::Desk>(servant);
    servant->self = desk;
  }
  CORBA::servant_reference<LaterDesk> servant = CORBA::make_reference<LaterDesk>();
  OrbPair orbs;
  IDL::traits<Late::Desk>::ref_type desk;
};

TEST_P(LateAnswers, CarryResultsOfAllKinds) {
  EXPECT_EQ(desk->greet("world"), "hello, world");
  std::string text = "b";
  Late::Point point;
  EXPECT_EQ(desk->swap(4, text, point), 5);
  EXPECT_EQ(text, "b!");
  EXPECT_EQ(point, Late::Point(4, 2.5));
  desk->count(12);
  EXPECT_EQ(desk->count(), 12);
  EXPECT_EQ(desk->title(), "the desk");
  EXPECT_TRUE(desk->find("me")->_is_equivalent(desk));
  desk->rest();
  for (const std::size_t size : {0, 1, 5'000, 70'000}) {
    const Late::Octets octets(size, 9);
    EXPECT_EQ(desk->echo(octets), octets) << size;
  }
  EXPECT_TRUE(desk->_is_a("IDL:Late/Counter:1.0"));
  EXPECT_FALSE(desk->_is_a("IDL:Late/Clash:1.0"));
}

TEST_P(LateAnswers, CarryExceptions) {
  for (const auto& [name, rooms] : {std::pair("exception", 7), std::pair("throw", 3)}) {
    try {
      desk->greet(name);
      ADD_FAILURE() << name;
    } catch (const Late::NoRoom& exception) {
      EXPECT_EQ(exception.rooms(), rooms);
    }
  }
  for (const char* name : {"unlisted", "throw unlisted", "standard"})
    EXPECT_THROW(desk->greet(name), CORBA::UNKNOWN) << name;
  try {
    desk->greet("system");
    ADD_FAILURE();
  } catch (const CORBA::NO_PERMISSION& exception) {
    EXPECT_EQ(exception.minor(), 5u);
    EXPECT_EQ(exception.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(desk->greet("again"), "hello, again");
}

TEST_P(LateAnswers, AreNoResponseIfTheHandlerIsDropped) {
  try {
    desk->greet("drop");
    ADD_FAILURE();
  } catch (const CORBA::NO_RESPONSE& exception) {
    EXPECT_EQ(exception.completed(), CORBA::COMPLETED_NO);
  }
  std::thread dropping([this] { servant->kept.take(); });
  EXPECT_THROW(desk->greet("keep"), CORBA::NO_RESPONSE);
  dropping.join();
}

TEST_P(LateAnswers, AreGivenOnce) {
  std::thread answering([this] {
    const Handler handler = servant->kept.take();
    EXPECT_THROW(handler->rest(), CORBA::BAD_OPERATION);
    EXPECT_THROW(handler->greet_excep(nullptr), CORBA::BAD_PARAM);
    handler->greet("first");
    EXPECT_THROW(handler->greet("second"), CORBA::BAD_INV_ORDER);
    EXPECT_THROW(handler->greet_excep(std::make_exception_ptr(Late::NoRoom(1))), CORBA::BAD_INV_ORDER);
  });
  EXPECT_EQ(desk->greet("keep"), "first");
  answering.join();
  EXPECT_EQ(desk->greet("next"), "hello, next");
}

TEST_P(LateAnswers, ComeInAnyOrderFromAnyThread) {
  constexpr int callers = 8, calls = 50;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&, i] {
      for (int call = 0; call < calls; ++call) {
        const std::string name = std::to_string(i) + "." + std::to_string(call);
        if (desk->greet(name) == "hello, " + name) ++good;
        desk->note(name);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, callers * calls);
}

TEST_P(LateAnswers, ForwardTheCaller) {
  const auto other = CORBA::make_reference<LaterDesk>();
  const auto there = orbs.publish<Late::Desk>(other);
  other->self = there;
  servant->elsewhere = there;
  EXPECT_TRUE(desk->find("elsewhere")->_is_equivalent(there));
}

INSTANTIATE_TEST_SUITE_P(
    Each, LateAnswers,
    testing::Values(Way{"thread-per-connection", "iiop://127.0.0.1:0"}, Way{"reactive", "iiop://127.0.0.1:0"},
                    Way{"leader-followers", "iiop://127.0.0.1:0"}, Way{"worker-pool", "iiop://127.0.0.1:0"},
                    Way{"threading-framework", "iiop://127.0.0.1:0"}, Way{"thread-per-connection", "unix:"},
                    Way{"reactive", "unix:"}, Way{"leader-followers", "shm:"},
                    Way{"thread-per-connection", "shm:"}, Way{"reactive", "shm:"},
                    Way{"leader-followers", "inproc:"}, Way{"worker-pool", "inproc:"},
                    Way{"worker-pool", "udp://127.0.0.1:0"}, Way{"leader-followers", "udp://127.0.0.1:0"}),
    name_of);

}  // namespace
}  // namespace late
