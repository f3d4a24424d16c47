// Callbacks over the connection that the client has opened, for each server concurrency that supports them.
#include <future>
#include <latch>

#include "../../parameter_name.h"
#include "both_ways.h"

namespace feature {
namespace {

class CallBack : public testing::TestWithParam<const char*> {
 protected:
  CallBack() : server(options()) {}
  static std::vector<std::string> options() {
    return {"-ORBServerConcurrency",   GetParam(),     "-ORBServerThreads",    "8",
            "-ORBAcceptBidirectional", "same-address", "-ORBRoundTripTimeout", "10s"};
  }
  // The client's object, as seen by the server's threads.
  EchoRef at_server(const Calling& client) {
    const auto there = server.server->string_to_object(client.orb->object_to_string(client.mine));
    return takt::reference::make_stub<::Calls::Echo>(there->_ref());
  }

  ServerAndClient server;
};

TEST_P(CallBack, DuringACall) {
  Calling client(server.ior);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.echo->call_back(client.mine, 3), 28);
  EXPECT_EQ(client.echo->cube(2), 8);
}

TEST_P(CallBack, WhileNoCallIsOutstanding) {
  Calling client(server.ior);
  client.echo->nothing();
  const auto back = at_server(client);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(back->cube(4), 64);
  back->note(7);
  for (int tries = 0; back->noted() != 7 && tries < 1000; ++tries) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(back->noted(), 7) << "the client's threads may serve what comes later first, but serve each";
}

TEST_P(CallBack, AfterTheThreadThatCalledHasEnded) {
  Calling client(server.ior);
  std::thread([&] { client.echo->nothing(); }).join();
  EXPECT_EQ(at_server(client)->cube(4), 64);
}

TEST_P(CallBack, FromTheFirstRequestWhichIsLong) {
  Calling client(server.ior);
  EXPECT_EQ(client.echo->echo_octets(Calls::Octets(3'000'000, 7)).size(), 3'000'000u);
  const auto back = at_server(client);
  EXPECT_EQ(back->echo_octets(Calls::Octets(3'000'000, 7)).size(), 3'000'000u);
}

// The client's servant, which makes a nested call to the server.
class Asking final : public EchoServant {
 public:
  explicit Asking(EchoRef whom) : whom_(std::move(whom)) {}
  uint8_t cube(uint8_t x) override { return whom_->cube(x); }

 private:
  const EchoRef whom_;
};

TEST_P(CallBack, MayCallAgain) {
  Calling client(server.ior);
  auto poa = IDL::traits<PortableServer::POA>::narrow(client.orb->resolve_initial_references("RootPOA"));
  const auto asking = CORBA::make_reference<Asking>(client.echo);
  const auto mine = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(poa->activate_object(asking)));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.echo->call_back(mine, 3), 28);
}

TEST_P(CallBack, BothSidesFromManyThreadsAtOnce) {
  Calling client(server.ior);
  client.echo->nothing();
  const auto back = at_server(client);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) EXPECT_EQ(client.echo->cube(3), 27);
    });
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) EXPECT_EQ(back->cube(3), 27);
    });
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) EXPECT_EQ(client.echo->call_back(client.mine, 3), 28);
    });
  }
}

TEST_P(CallBack, OnewaysInQuickSuccessionAllArrive) {
  class Slow final : public EchoServant {
   public:
    void note(int32_t) override {
      std::this_thread::sleep_for(1ms);
      ++arrived;
    }
    std::atomic<int> arrived{0};
  };
  constexpr int sent = 300;
  Calling client(server.ior);
  auto poa = IDL::traits<PortableServer::POA>::narrow(server.server->resolve_initial_references("RootPOA"));
  const auto slow = CORBA::make_reference<Slow>();
  const auto reference = poa->id_to_reference(poa->activate_object(slow));
  const auto there = IDL::traits<Calls::Echo>::narrow(
      client.orb->string_to_object(server.server->object_to_string(reference)));
  EXPECT_EQ(there->call_back(client.mine, 3), 28) << "it goes both ways";
  for (int i = 0; i < sent; ++i) there->note(i);
  for (int tries = 0; slow->arrived < sent && tries < 1000; ++tries) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(slow->arrived, sent);
}

TEST_P(CallBack, LongMessagesInBothDirectionsAtOnce) {
  Calling client(server.ior);
  client.echo->nothing();
  const auto back = at_server(client);
  const Calls::Octets octets(4'000'000, 7);
  auto there = std::async(std::launch::async, [&] { return client.echo->echo_octets(octets).size(); });
  EXPECT_EQ(back->echo_octets(octets).size(), octets.size());
  EXPECT_EQ(there.get(), octets.size());
}

TEST_P(CallBack, EndsWithTheClientAndBeginsWithTheNext) {
  std::string reference;
  EchoRef back;
  {
    Calling client(server.ior);
    client.echo->nothing();
    back = at_server(client);
    EXPECT_EQ(back->cube(2), 8);
  }
  EXPECT_THROW(back->cube(2), CORBA::SystemException);
  EXPECT_THROW(back->cube(2), CORBA::TRANSIENT);
  Calling next(server.ior);
  next.echo->nothing();
  EXPECT_EQ(at_server(next)->cube(2), 8);
}

TEST_P(CallBack, AServerThatStopsTellsTheClient) {
  Calling client(server.ior);
  client.echo->nothing();
  server.stop_server();
  EXPECT_THROW(client.echo->nothing(), CORBA::TRANSIENT) << "made again, and nobody listens";
}

TEST_P(CallBack, StoppingLetsAnUpcallFinishThatCallsBack) {
  Calling client(server.ior);
  class Slow final : public EchoServant {
   public:
    uint8_t cube(uint8_t x) override {
      begun.count_down();
      std::this_thread::sleep_for(300ms);  // time for the server to begin to stop
      return EchoServant::cube(x);
    }
    std::latch begun{1};
  };
  auto poa = IDL::traits<PortableServer::POA>::narrow(client.orb->resolve_initial_references("RootPOA"));
  const auto slow = CORBA::make_reference<Slow>();
  const auto mine = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(poa->activate_object(slow)));
  auto call = std::async(std::launch::async, [&] { return client.echo->call_back(mine, 3); });
  slow->begun.wait();
  server.stop_server();
  EXPECT_EQ(call.get(), 28);
}

INSTANTIATE_TEST_SUITE_P(Each, CallBack,
                         testing::Values("thread-per-connection", "leader-followers", "worker-pool",
                                         "threading-framework"),
                         takt::test::without_hyphens);

}  // namespace
}  // namespace feature
