// Servants that answer later, below server interceptors: the answer reaches the caller, and each flow ends
// once.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <takt/dynamic/request.h>
#include <takt/interceptors/interceptors.h>

#include "later_desk.h"

namespace late {
namespace {

namespace PI = PortableInterceptor;

struct Points {
  std::atomic<int> begun{0}, replies{0}, exceptions{0}, others{0};
  std::atomic<bool> throws_at_the_end{false};
} points;

class Counting final : public IDL::traits<PI::ServerRequestInterceptor>::base_type {
 public:
  std::string name() override { return "counting"; }
  void destroy() override {}
  void receive_request_service_contexts(Info) override { ++points.begun; }
  void receive_request(Info) override {}
  void send_reply(Info) override {
    ++points.replies;
    if (points.throws_at_the_end) throw CORBA::NO_PERMISSION();
  }
  void send_exception(Info) override { ++points.exceptions; }
  void send_other(Info) override { ++points.others; }
};

class Initializer final : public IDL::traits<PI::ORBInitializer>::base_type {
 public:
  void pre_init(IDL::traits<PI::ORBInitInfo>::ref_type info) override {
    info->add_server_request_interceptor(CORBA::make_reference<Counting>());
  }
  void post_init(IDL::traits<PI::ORBInitInfo>::ref_type) override {}
};

class InterceptedLateAnswers : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    static const bool once = (PI::register_orb_initializer(CORBA::make_reference<Initializer>()), true);
    ASSERT_TRUE(once);
  }
  InterceptedLateAnswers() : orbs({"-ORBServerConcurrency", GetParam()}, {}, "iiop://127.0.0.1:0") {
    desk = orbs.publish<Late::Desk>(servant);
    servant->self = desk;
    points.begun = points.replies = points.exceptions = points.others = 0;
    points.throws_at_the_end = false;
  }
  CORBA::servant_reference<LaterDesk> servant = CORBA::make_reference<LaterDesk>();
  feature::OrbPair orbs;
  IDL::traits<Late::Desk>::ref_type desk;
};

TEST_P(InterceptedLateAnswers, AreWhatTheServantAnswered) {
  for (int i = 0; i < 100; ++i) ASSERT_EQ(desk->greet("world"), "hello, world");
  EXPECT_THROW(desk->greet("exception"), Late::NoRoom);
  EXPECT_EQ(points.begun, 101);
  // The last upcall may end after its answer has arrived.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (points.replies + points.others < 101 && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(points.replies + points.others, 101);
  EXPECT_EQ(points.exceptions, 0);
}

TEST_P(InterceptedLateAnswers, AreNotReplacedAtTheEndOfTheUpcall) {
  points.throws_at_the_end = true;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(desk->greet("world"), "hello, world");
  }
}

TEST_P(InterceptedLateAnswers, ToDynamicCallersOfTheServersProcessComeOverAConnection) {
  const auto request = orbs.root->servant_to_reference(servant)->_request("rest");
  request->invoke();
  EXPECT_EQ(points.begun, 2);
  EXPECT_EQ(points.others, 1) << "the call has gone on elsewhere";
  EXPECT_EQ(points.exceptions, 0);
}

TEST_P(InterceptedLateAnswers, AreNoResponseIfTheHandlerIsDropped) {
  try {
    desk->greet("drop");
    ADD_FAILURE();
  } catch (const CORBA::NO_RESPONSE& exception) {
    EXPECT_EQ(exception.completed(), CORBA::COMPLETED_NO);
  }
}

INSTANTIATE_TEST_SUITE_P(Servers, InterceptedLateAnswers,
                         testing::Values("thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool"));

}  // namespace
}  // namespace late
