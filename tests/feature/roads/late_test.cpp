// A server that admits no client for a while, since its only thread is busy: its clients leave TCP later.
#include <future>
#include <latch>
#include <semaphore>

#include <takt/async/pending.h>

#include "../../eventually.h"
#include "../asynchronous/greeter.h"
#include "../renaming.h"
#include "roads.h"

namespace feature {
namespace {

using takt::test::eventually;

// A reactive server of one thread, on TCP alone for the client that keeps it busy.
class Late : public Served {
 public:
  Late()
      : Served("iiop://127.0.0.1:0", with(on, {"-ORBServerConcurrency", "reactive"}), off),
        ior(ior_in(root)) {}
  static inline const Options off{"-ORBLocalRoads", "off"};

  // Does `first` while the server is busy: its calls connect by TCP, and end when the server is idle again.
  // The time is long, so that callers on a loaded machine connect within it.
  template <class First>
  void while_busy(First first) {
    std::binary_semaphore begun{0};
    const auto busy = echo_in(root, [&] {
      begun.release();
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    });
    EXPECT_EQ(busy->cube(2), 8);  // by a connection that this thread keeps
    auto upcall = std::async(std::launch::async, [&] { busy->nothing(); });
    EXPECT_TRUE(begun.try_acquire_for(std::chrono::seconds(30)));
    first();
    upcall.get();
  }
  EchoRef fresh(const Orb& orb) const { return IDL::traits<Calls::Echo>::narrow(orb->string_to_object(ior)); }
  IDL::traits<Async::Greeter>::ref_type greeter(const Orb& orb) const {
    const auto id = root->activate_object(CORBA::make_reference<GreeterServant>());
    return IDL::traits<Async::Greeter>::narrow(
        orb->string_to_object(server->object_to_string(root->id_to_reference(id))));
  }
  const std::string ior;
};

struct Caller {
  Caller(const Late& late, const Options& options)
      : orb(make_orb(with({"-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "1ms"}, options), "late")),
        echo(late.fresh(orb)) {}
  ~Caller() { orb->destroy(); }
  const Orb orb;
  const EchoRef echo;
};

void expect_all_leave_tcp(const Options& options) {
  Late late;
  std::vector<std::unique_ptr<Caller>> callers;
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
    callers.push_back(std::make_unique<Caller>(late, with(options, {"-ORBClientConnections", connections})));
  late.while_busy([&] {
    std::vector<std::jthread> threads;
    for (const auto& caller : callers) threads.emplace_back([&] { EXPECT_EQ(caller->echo->cube(3), 27); });
  });
  // The threads that called first have ended, but for two strategies the connections are the process's.
  for (const auto& caller : callers) EXPECT_EQ(caller->echo->cube(3), 27);
  EXPECT_TRUE(eventually([&] {
    for (const auto& caller : callers) EXPECT_EQ(caller->echo->cube(2), 8);
    return connections(AF_INET) == 2 && taken("shm") >= 4;
  })) << connections(AF_INET)
      << ' ' << taken("shm");
  for (const auto& caller : callers) expect_calls_of_all_lengths(caller->echo, "after leaving TCP");
}

TEST(LateServers, ConnectionsLeaveTcpOnceTheyAdmitTheirClients) { expect_all_leave_tcp({}); }

TEST(LateServers, ConnectionsLeaveTcpWhateverTheirTextForPeopleIs) {
  expect_all_leave_tcp({"-ORBPlugin", renaming()});
}

// All asynchronous calls to a server have a connection of their own.
TEST(LateServers, AsynchronousCallsLeaveTcpWhenNoneIsUnderWay) {
  Late late;
  const Caller caller(late, {"-ORBPlugin", renaming()});
  const auto greeter = late.greeter(caller.orb);
  const auto send = [&] { return greeter->async_twice(4).future(); };
  late.while_busy([&] { EXPECT_EQ(send().get(), 8); });
  EXPECT_TRUE(eventually([&] {
    auto first = send(), second = send();
    EXPECT_EQ(first.get(), 8);
    EXPECT_EQ(second.get(), 8);
    return connections(AF_INET) == 2 && taken("shm") >= 1;
  })) << connections(AF_INET)
      << ' ' << taken("shm");
}

TEST(LateServers, NoAsynchronousCallIsLostWhileTheirConnectionLeavesTcp) {
  Late late;
  const Caller caller(late, {});
  const auto greeter = late.greeter(caller.orb);
  late.while_busy([&] { EXPECT_EQ(greeter->async_twice(4).future().get(), 8); });
  std::atomic<bool> over{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (std::int32_t n = 0; !over; ++n) {
        EXPECT_EQ(greeter->async_twice(n).future().get(), 2 * n);
        if (n % 8 == 0)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));  // else one is always under way
      }
    });
  EXPECT_TRUE(eventually([] { return connections(AF_INET) == 2 && taken("shm") >= 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  over = true;
}

TEST(LateServers, ThreadsThatShareAConnectionLeaveItOneByOne) {
  Late late;
  const Caller caller(late, {"-ORBClientConnections", "multiplexed"});
  std::atomic<bool> over{false};
  std::vector<std::jthread> threads;
  late.while_busy([&] {
    std::latch called(3);
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        EXPECT_EQ(caller.echo->cube(3), 27);
        called.count_down();
        while (!over) {
          EXPECT_EQ(caller.echo->cube(2), 8);
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
      });
    called.wait();
  });
  EXPECT_TRUE(eventually([] { return connections(AF_INET) == 2 && taken("shm") >= 1; }));
  over = true;
}

TEST(LateServers, NothingOvertakesAOneway) {
  Late late;
  std::vector<std::unique_ptr<Caller>> callers;
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
    callers.push_back(std::make_unique<Caller>(late, Options{"-ORBClientConnections", connections}));
  late.while_busy([&] {
    for (const auto& caller : callers) caller->echo->note(0);
  });
  ASSERT_TRUE(eventually([] { return taken("shm") == 4; })) << "a road is prepared for each";
  for (const auto& caller : callers) {
    for (std::int32_t i = 1; i <= 20; ++i) {
      caller->echo->note(i);
      EXPECT_EQ(connections(AF_INET), 10) << "the server may not have read the oneway";
    }
    // Now, since the object is the same for all, and the oneways of one caller may pass the calls of another.
    EXPECT_EQ(caller->echo->noted(), 20);
  }
  EXPECT_TRUE(eventually([&] {
    for (const auto& caller : callers) EXPECT_EQ(caller->echo->noted(), 20);
    return connections(AF_INET) == 2;
  }));
}

// A call that begins while another one holds the thread's channel gets a second one, on the same connection.
TEST(LateServers, NothingOvertakesAOnewayOfAnotherChannelOfItsThread) {
  Late late;
  const Caller caller(late, {"-ORBClientConnections", "multiplexed", "-ORBPlugin", renaming()});
  const auto other = late.fresh(caller.orb);
  late.while_busy([&] {
    EXPECT_EQ(caller.echo->cube(3), 27);
    takt::invocation::ClientCall held(*caller.echo, "cube",
                                      {.response_expected = true, .has_arguments = true});
    held.begin();
    other->note(1);
  });
  ASSERT_TRUE(eventually([] { return taken("shm") == 1; })) << "a road is prepared";
  const int before = connections(AF_INET);
  EXPECT_EQ(caller.echo->cube(2), 8);
  EXPECT_EQ(connections(AF_INET), before) << "the server may not have read the oneway";
  EXPECT_EQ(other->noted(), 1);
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(caller.echo->cube(2), 8);
    EXPECT_EQ(other->cube(2), 8);
    return connections(AF_INET) == 2;
  }));
}

TEST(LateServers, APreparedRoadThatNobodyTakesEndsWithItsOrb) {
  Late late;
  {
    const Caller caller(late, {});
    late.while_busy([&] { EXPECT_EQ(caller.echo->cube(3), 27); });
    ASSERT_TRUE(eventually([] { return taken("shm") == 1; }));
  }
  EXPECT_TRUE(eventually([] { return taken("shm") == 0 && connections(AF_INET) == 2; }));
}

}  // namespace
}  // namespace feature
