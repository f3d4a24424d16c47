// One allocation fails, and then the next one, until no more are made.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>

#include <takt/interceptors/interceptors.h>

#include "no_memory.h"
#include "orbs.h"

namespace feature {
namespace {

constexpr int most = 300;

// Each attempt opens a connection. Nothing of its request has been sent when the memory is missing.
TEST(NoMemory, ACallThatOpensAConnectionSaysSo) {
  const ServerAndClient server({"-ORBLocalRoads", "off"});
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0;; ++number) {
      ASSERT_LT(number, most);
      const Orb client = make_orb({"-ORBLocalRoads", "off"}, "client");
      const auto echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(server.ior));
      {
        const FailingAllocation failing(number, fails);
        try {
          echo->nothing();
        } catch (const CORBA::NO_MEMORY& refused) {
          EXPECT_EQ(refused.completed(), CORBA::COMPLETED_NO) << number;
        }
      }
      echo->nothing();
      client->destroy();  // no connection that was not completed is left in its list
      if (!FailingAllocation::has_failed()) break;
    }
}

// Adds a context to each request, and counts how many calls have begun and not ended.
class CountingInterceptor final
    : public IDL::traits<PortableInterceptor::ClientRequestInterceptor>::base_type {
 public:
  static inline int open = 0;
  std::string name() override { return "counting"; }
  void destroy() override {}
  void send_request(Info info) override {
    info->add_request_service_context({77, {1, 2, 3}}, false);
    ++open;
  }
  void send_poll(Info) override {}
  void receive_reply(Info) override { --open; }
  void receive_exception(Info) override { --open; }
  void receive_other(Info) override { --open; }
};
class CountingServerInterceptor final
    : public IDL::traits<PortableInterceptor::ServerRequestInterceptor>::base_type {
 public:
  static inline std::atomic<int> open = 0;
  std::string name() override { return "counting"; }
  void destroy() override {}
  void receive_request_service_contexts(Info) override { ++open; }
  void receive_request(Info) override {}
  void send_reply(Info) override { --open; }
  void send_exception(Info) override { --open; }
  void send_other(Info) override { --open; }
};
class CountingInitializer final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
 public:
  static inline bool adds = false, adds_to_server = false;
  static void register_once() {
    static const bool done = [] {
      PortableInterceptor::register_orb_initializer(CORBA::make_reference<CountingInitializer>());
      return true;
    }();
    (void)done;
  }
  void pre_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type info) override {
    if (adds) info->add_client_request_interceptor(CORBA::make_reference<CountingInterceptor>());
    if (adds_to_server)
      info->add_server_request_interceptor(CORBA::make_reference<CountingServerInterceptor>());
  }
  void post_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
};

// An interceptor whose first point has returned has one last point.
TEST(NoMemory, ACallEndsForItsInterceptors) {
  const ServerAndClient server({"-ORBLocalRoads", "off"});
  CountingInitializer::register_once();
  CountingInitializer::adds = true;
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0;; ++number) {
      ASSERT_LT(number, most);
      const Orb client = make_orb({"-ORBLocalRoads", "off"}, "client");
      const auto echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(server.ior));
      {
        const FailingAllocation failing(number, fails);
        try {
          echo->nothing();
        } catch (const CORBA::NO_MEMORY&) {
        } catch (const CORBA::UNKNOWN&) {  // for std::bad_alloc of the interceptor's own
        }
      }
      ASSERT_EQ(CountingInterceptor::open, 0) << number;
      echo->nothing();
      client->destroy();
      if (!FailingAllocation::has_failed()) break;
    }
  CountingInitializer::adds = false;
}

// A half-made one would never end, and shutdown would wait for it.
TEST(NoMemory, AnAdapterIsMadeOrNot) {
  const auto begun = std::chrono::steady_clock::now();
  ServerAndClient orbs;
  const auto manager = orbs.root->the_POAManager();
  for (int number = 0;; ++number) {
    ASSERT_LT(number, most);
    bool made = false;
    {
      const FailingAllocation failing(number, Fails::one);
      try {
        orbs.root->create_POA("child", manager, {});
        made = true;
      } catch (const std::bad_alloc&) {
      }
    }
    if (made) break;
    try {
      orbs.root->find_POA("child", false)->destroy(true, true);
    } catch (const PortableServer::POA::AdapterNonExistent&) {
      orbs.root->create_POA("child", manager, {})->destroy(true, true);
    }
  }
  orbs.stop_server();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
}

struct NoMemoryInServer : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, NoMemoryInServer, testing::ValuesIn(server_concurrencies));

TEST_P(NoMemoryInServer, LosesNoMoreThanTheCall) {
  const ServerAndClient orbs(
      {"-ORBLocalRoads", "off", "-ORBServerConcurrency", GetParam(), "-ORBLogLevel", "off"});
  orbs.echo->nothing();  // the server listens to its endpoints
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0; number < 30; ++number) {
      const Orb client = make_orb({"-ORBLocalRoads", "off"}, "client");
      const auto echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(orbs.ior));
      {
        const FailingAllocation failing(number, fails, FailingAllocation::In::other_threads);
        try {
          echo->nothing();
        } catch (const CORBA::SystemException&) {
        }
      }
      echo->nothing();
      client->destroy();
    }
}

// The points need memory for what a servant has thrown.
TEST_P(NoMemoryInServer, ARequestEndsForItsInterceptors) {
  CountingInitializer::register_once();
  CountingInitializer::adds_to_server = true;
  const ServerAndClient orbs(
      {"-ORBLocalRoads", "off", "-ORBServerConcurrency", GetParam(), "-ORBLogLevel", "off"});
  CountingInitializer::adds_to_server = false;
  orbs.echo->nothing();
  int told = 0;
  for (const Fails fails : {Fails::one, Fails::all_from_there_on})
    for (int number = 0; number < 20; ++number) {
      try {
        const FailingAllocation failing(number, fails, FailingAllocation::In::other_threads);
        orbs.echo->refuse("no");
        ADD_FAILURE() << "an exception was expected: " << number;
      } catch (const CORBA::NO_MEMORY&) {
        ++told;
      } catch (const CORBA::Exception&) {  // the servant's, or the end of the connection
      }
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (CountingServerInterceptor::open != 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ASSERT_EQ(CountingServerInterceptor::open, 0) << number;
      orbs.echo->nothing();
    }
  EXPECT_GT(told, 0);
}

TEST_P(NoMemoryInServer, ThreadsThatBeginWithoutMemoryEndNoProcess) {
  for (int number = 0; number < 6; ++number) {
    std::optional<FailingAllocation> failing(std::in_place, number, Fails::one,
                                             FailingAllocation::In::other_threads);
    const OrbPair orbs({"-ORBServerConcurrency", GetParam(), "-ORBLogLevel", "off"},
                       {"-ORBLocalRoads", "off", "-ORBConnectTimeout", "1s"});
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    try {
      echo->nothing();
    } catch (const CORBA::SystemException&) {  // the endpoint may not be listened to
    }
    failing.reset();
  }
}

// The servant's own memory is missing too. A reader that has no memory for a queued request ends the
// connection.
TEST_P(NoMemoryInServer, ACallerIsToldThatMemoryIsMissing) {
  const ServerAndClient orbs(
      {"-ORBLocalRoads", "off", "-ORBServerConcurrency", GetParam(), "-ORBLogLevel", "off"});
  const Calls::Octets octets(1000);
  orbs.echo->echo_octets(octets);
  int told = 0, ended = 0;
  for (int number = 0; number < 4; ++number) {
    const FailingAllocation failing(number, Fails::all_from_there_on, FailingAllocation::In::other_threads);
    try {
      orbs.echo->echo_octets(octets);
    } catch (const CORBA::NO_MEMORY& missing) {
      ++told;
      EXPECT_TRUE(missing.detail().starts_with("echo_octets: raised by the server of ")) << missing.detail();
    } catch (const CORBA::COMM_FAILURE&) {
      ++ended;
    }
  }
  const bool is_queued =
      std::ranges::any_of(queued_concurrencies, [](std::string_view queued) { return queued == GetParam(); });
  EXPECT_GT(is_queued ? told + ended : told, 0) << "of four calls without memory";
  orbs.echo->echo_octets(octets);
}

}  // namespace
}  // namespace feature
