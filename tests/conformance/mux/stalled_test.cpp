// A peer that does not read, and callers that must not wait for it.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "architectures.h"

namespace feature {
namespace {

// A connection with a thread of its own takes requests even if its peer does not read. Where callers write
// themselves, a caller in the middle of a message blocks the others, each for as long as its call may last.
class Stalled : public Clients {
 protected:
  // Stops reading at the first request, until read_on().
  RecordingServer server{[this](std::size_t) {
    if (!stalled_.exchange(true)) reads_on_.wait();
    return RecordingServer::Answer::reply;
  }};
  ~Stalled() override { read_on(); }
  void read_on() {
    if (!reading_.exchange(true)) reads_on_.count_down();
  }
  EchoRef stall() {
    const auto echo = reach(server);
    echo->note(1);
    EXPECT_TRUE(eventually([&] { return stalled_.load(); }));
    return echo;
  }
  // Another client's connection strategy is the test's, too.
  static Orb client_with_timeout(const char* round_trip_timeout, const char* id) {
    return make_orb(
        {"-ORBClientConnections", GetParam().connections, "-ORBRoundTripTimeout", round_trip_timeout}, id);
  }
  // Stalls the server by a request of another client, and gets that client's reference.
  EchoRef stall_by(const Orb& client) {
    const auto echo = takt::reference::make_stub<::Calls::Echo>(
        client->string_to_object(ior_of(server, GetParam().banded))->_ref());
    echo->note(1);
    EXPECT_TRUE(eventually([&] { return requests() == 1; }));
    return echo;
  }
  static EchoRef without_waiting(const EchoRef& echo) {
    return IDL::traits<::Calls::Echo>::narrow(
        echo->_set_policy_overrides({CORBA::make_reference<Messaging::SyncScopePolicy>(Messaging::SYNC_NONE)},
                                    CORBA::SetOverrideType::ADD_OVERRIDE));
  }
  // Sends a message that the server does not take while it is stalled, and waits until it has.
  static void send_long_one(const EchoRef& echo) {
    const ::Calls::Octets long_one(16 * 1024 * 1024, 7);
    for (;;) try {
        (void)echo->echo_octets(long_one);
      } catch (const CORBA::TRANSIENT&) {  // too long for a queue that is not empty
        std::this_thread::sleep_for(1ms);
      } catch (const CORBA::MARSHAL&) {  // the server's reply is empty
        return;
      }
  }
  // Calls until the long message is being sent, so that a request stays behind it. Returns how many requests
  // left before.
  static std::size_t left_before_the_long_one(const EchoRef& impatient) {
    for (std::size_t left = 0;;) try {
        impatient->nothing();
        ADD_FAILURE() << "nothing was thrown";
        return left;
      } catch (const CORBA::TIMEOUT& late) {
        if (late.completed() == CORBA::COMPLETED_NO) return left;
        ++left;
      } catch (const CORBA::TRANSIENT&) {  // the long message fills the queue until it begins to be sent
        std::this_thread::sleep_for(1ms);
      }
  }
  // Lets the server read on at the latest when the test ends in whatever way, so that no thread of the test
  // waits for it.
  class ReadsOn {
   public:
    explicit ReadsOn(Stalled& of) : of_(of) {}
    ~ReadsOn() { of_.read_on(); }
    ReadsOn(const ReadsOn&) = delete;
    ReadsOn& operator=(const ReadsOn&) = delete;

   private:
    Stalled& of_;
  };
  std::size_t requests() const {
    std::size_t count = 0;
    for (const auto& connection : server.connections()) count += connection.request_ids.size();
    return count;
  }

 private:
  std::atomic<bool> stalled_{false}, reading_{false};
  std::latch reads_on_{1};
};

TEST_P(Stalled, ARequestWhoseTimeIsOverBeforeItLeavesNeverLeaves) {
  const auto echo = stall();
  auto writing = std::async(std::launch::async, [&] { send_long_one(echo); });
  const ReadsOn reads_on(*this);
  const std::size_t left = left_before_the_long_one(hurried(echo, 100ms));
  read_on();
  writing.get();
  echo->nothing();
  EXPECT_EQ(requests(), 3u + left);
}

TEST_P(Stalled, OnewaysThatNobodyWaitsForFillTheQueueAndNoMore) {
  const auto echo = without_waiting(stall());
  std::size_t taken = 1;
  try {
    for (;; ++taken) echo->note(static_cast<int>(taken));
  } catch (const CORBA::TRANSIENT& full) {
    EXPECT_EQ(full.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(std::string(full.what()).find("-ORBSendQueueSize"), std::string::npos) << full.what();
  }
  read_on();
  EXPECT_TRUE(eventually([&] { return requests() == taken; }))
      << requests() << " of " << taken << " have arrived";
}

TEST_P(Stalled, APeerThatTakesNothingForTooLongIsGivenUp) {
  const Orb hasty = client_with_timeout("300ms", "hasty");
  const auto echo = stall_by(hasty);
  EXPECT_THROW((void)echo->echo_octets(::Calls::Octets(16 * 1024 * 1024, 7)), CORBA::TIMEOUT);
  std::this_thread::sleep_for(600ms);
  read_on();
  EXPECT_TRUE(eventually([&] { return server.connections()[0].closed; }))
      << "though this thread still has its channel";
  hurried(echo, 30s)->nothing();
  EXPECT_EQ(server.connections().size(), 2u);
  hasty->destroy();
}

// When the last user of a connection ends, messages that the system would have taken must not be lost.
TEST_P(Stalled, OnewaysAreSentThoughTheirThreadIsGone) {
  read_on();
  const auto echo = without_waiting(reach(server));
  for (int round = 1; round <= 20; ++round) {
    std::thread([&] {
      for (int i = 0; i < 50; ++i) echo->note(i);
    }).join();
    ASSERT_TRUE(eventually([&] { return requests() == 50u * static_cast<std::size_t>(round); }))
        << requests();
  }
}

// A call whose request the peer does not take delays other calls for the time that they may last, and no
// longer.
class Impatient : public Stalled {
 protected:
  // The completion status in the TIMEOUT.
  static CORBA::CompletionStatus late(const std::function<void()>& call) {
    try {
      call();
    } catch (const CORBA::TIMEOUT& failure) {
      return failure.completed();
    }
    ADD_FAILURE() << "no TIMEOUT";
    return CORBA::COMPLETED_YES;
  }
};

TEST_P(Impatient, CallsEndWithTheirDeadlineThoughTheirRequestsAreNotTaken) {
  const Orb patient = client_with_timeout("0", "patient");
  const auto echo = stall_by(patient);
  const ::Calls::Octets long_one(16 * 1024 * 1024, 7);
  EXPECT_EQ(late([&] { (void)hurried(echo, 100ms)->echo_octets(long_one); }), CORBA::COMPLETED_MAYBE);
  patient->destroy();
}

TEST_P(Impatient, CallsDoNotWaitForTheRequestsOfOthersForEver) {
  const Orb patient = client_with_timeout("0", "patient");
  const auto echo = stall_by(patient);
  auto writing = std::async(std::launch::async, [&] { send_long_one(echo); });
  const ReadsOn reads_on(*this);
  const auto impatient = hurried(echo, 50ms);
  left_before_the_long_one(impatient);
  EXPECT_EQ(late([&] { impatient->nothing(); }), CORBA::COMPLETED_NO);
  EXPECT_EQ(late([&] { impatient->nothing(); }), CORBA::COMPLETED_NO);
  read_on();
  writing.get();
  patient->destroy();
}

INSTANTIATE_TEST_SUITE_P(Multiplexed, Impatient,
                         testing::Values(Architecture{.name = "callers_write", .connections = "multiplexed"},
                                         Architecture{.name = "thread_writes",
                                                      .connections = "multiplexed-active"}),
                         [](const auto& which) { return std::string(which.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Active, Stalled,
    testing::Values(Architecture{.name = "alone", .connections = "multiplexed-active"},
                    Architecture{.name = "banded", .connections = "multiplexed-active", .banded = true}),
    [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace feature
