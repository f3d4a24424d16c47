// Deadlines are sent along: a server knows the time left for a call, and does not begin a call whose time is
// over.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <thread>

#include "../../eventually.h"
#include "../../parameter_name.h"
#include "../folder.h"
#include "hops.h"

namespace feature {
namespace {

class Deadlines : public testing::TestWithParam<const char*> {
 protected:
  Orb client = make_orb({}, "client");
  ~Deadlines() override { client->destroy(); }
};

INSTANTIATE_TEST_SUITE_P(EveryArchitecture, Deadlines,
                         testing::Values("thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool", "threading-framework", "lanes"),
                         takt::test::without_hyphens);

std::int64_t nanoseconds_of(std::chrono::nanoseconds time) { return time.count(); }

TEST_P(Deadlines, WhatRemainsAndWhatElseItSaysReachesTheUpcall) {
  Hop hop(GetParam());
  const HopRef object = hop.seen_from(client);
  EXPECT_FALSE(object->look().present()) << "nobody has said anything";
  takt::Quality quality;
  quality.importance = 7;
  quality.period = 50ms;
  quality.communication = takt::CommunicationClass::isochronous;
  {
    const takt::QualityScope scope(quality);
    const auto seen = object->look();
    EXPECT_EQ(seen.importance(), 7u);
    EXPECT_EQ(seen.period_ns(), 50'000'000u);
    EXPECT_EQ(seen.communication_class(), 1);
    EXPECT_FALSE(seen.deadline());
    const takt::DeadlineScope in_time(10s);
    const auto hurried = object->look();
    EXPECT_EQ(hurried.importance(), 7u);
    EXPECT_GT(hurried.remaining_ns(), 0);
    EXPECT_LE(hurried.remaining_ns(), nanoseconds_of(10s));
  }
  EXPECT_FALSE(object->look().present());
}

TEST_P(Deadlines, ARoundTripTimeoutIsADeadline) {
  Hop hop(GetParam());
  const auto seen = with(hop.seen_from(client), {round_trip(client, 5s)})->look();
  EXPECT_TRUE(seen.deadline());
  EXPECT_LE(seen.remaining_ns(), nanoseconds_of(5s));
}

TEST_P(Deadlines, ARequestTimeoutIsNoDeadlineOfTheUpcall) {
  Hop hop(GetParam());
  const auto until_it_begins = policy(client, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, units(2s));
  EXPECT_FALSE(with(hop.seen_from(client), {until_it_begins})->look().deadline());
  const auto seen = with(hop.seen_from(client), {until_it_begins, round_trip(client, 60s)})->look();
  EXPECT_GT(seen.remaining_ns(), nanoseconds_of(2s));
  EXPECT_LE(seen.remaining_ns(), nanoseconds_of(60s));
}

// How long ago the system recorded the arrival of a datagram that was sent 5 ms ago.
std::chrono::nanoseconds age_of_datagram() {
  const int own = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  const int on = 1;
  EXPECT_EQ(bind(own, name, length), 0);
  EXPECT_EQ(getsockname(own, name, &length), 0);
  EXPECT_EQ(setsockopt(own, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), 0);
  EXPECT_EQ(sendto(own, "x", 1, 0, name, length), 1);
  std::this_thread::sleep_for(5ms);
  char octet = 0;
  iovec into{&octet, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_iov = &into;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  EXPECT_EQ(recvmsg(own, &message, 0), 1);
  close(own);
  timespec arrival{}, now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::memcpy(&arrival, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof arrival);
  return std::chrono::seconds(now.tv_sec - arrival.tv_sec) +
         std::chrono::nanoseconds(now.tv_nsec - arrival.tv_nsec);
}

// Linux does so about a millisecond after the first socket has asked for it, and until then gives the time at
// which a datagram is read.
bool system_records_arrivals() { return age_of_datagram() >= 5ms; }

TEST_P(Deadlines, ARequestTimeoutEndsTheWaitForTheUpcallToBegin) {
  if (std::string(GetParam()) == "thread-per-connection") return;  // nothing waits
  Hop hop(GetParam());
  const HopRef object = hop.seen_from(client);
  // From here on, the server wants to know when requests of new connections arrive.
  (void)with(object, {policy(client, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, units(60s))})->look();
  ASSERT_TRUE(takt::test::eventually(system_records_arrivals));
  const auto until_it_begins = policy(client, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, units(100ms));
  const HopRef hurried = with(object, {until_it_begins});
  std::thread busy([&] { object->wait(); });
  EXPECT_TRUE(hop.servant->gate.entered_by(1));
  std::thread late([&] { EXPECT_THROW(hurried->work(), CORBA::TIMEOUT); });
  std::this_thread::sleep_for(120ms);
  hop.servant->gate.open();
  busy.join();
  late.join();
  EXPECT_EQ(hop.servant->started, 0);
}

TEST_P(Deadlines, NestedCallsInheritWhatRemainsOrHaveLess) {
  Hop first(GetParam()), second(GetParam());
  first.servant->next = second.seen_from(first.orb);
  const HopRef object = first.seen_from(client);
  EXPECT_FALSE(object->look_on().present());
  const takt::DeadlineScope in_time(10s);
  const auto inherited = object->look_on();
  EXPECT_TRUE(inherited.deadline());
  EXPECT_LE(inherited.remaining_ns(), nanoseconds_of(10s));
  first.servant->next = with(first.servant->next, {round_trip(first.orb, 3s)});
  EXPECT_LE(object->look_on().remaining_ns(), nanoseconds_of(3s));
  first.servant->next = with(second.seen_from(first.orb), {round_trip(first.orb, 60s)});
  EXPECT_LE(object->look_on().remaining_ns(), nanoseconds_of(10s));
}

TEST_P(Deadlines, AnInnerScopeHasNoMoreTimeThanTheOuter) {
  Hop hop(GetParam());
  const takt::DeadlineScope outer(2s);
  const takt::DeadlineScope inner(60s);
  EXPECT_LE(hop.seen_from(client)->look().remaining_ns(), nanoseconds_of(2s));
}

TEST_P(Deadlines, ABudgetBeyondTheClocksLastMomentIsNoDeadline) {
  Hop hop(GetParam());
  const takt::DeadlineScope for_ever(std::chrono::nanoseconds::max());
  const auto seen = hop.seen_from(client)->look();
  EXPECT_TRUE(seen.present());
  EXPECT_FALSE(seen.deadline());
}

// The thread is busy with one call, while another call's time passes in its socket.
void expect_not_begun(const std::string& architecture, const std::string& connections,
                      const std::string& endpoint = "iiop://127.0.0.1:0",
                      std::vector<std::string> client_options = {}) {
  SCOPED_TRACE(connections + " to " + architecture + " over " + endpoint);
  Hop hop(architecture, endpoint);
  client_options.insert(client_options.end(), {"-ORBClientConnections", connections});
  const Orb client = make_orb(std::move(client_options), "client");
  const HopRef object = hop.seen_from(client);
  {
    const takt::DeadlineScope in_time(10s);
    object->look();  // tells the server that there are deadlines
  }
  std::thread busy([&] { object->wait(); });
  EXPECT_TRUE(hop.servant->gate.entered_by(1));
  {
    const takt::DeadlineScope in_time(500ms);
    EXPECT_THROW(object->work(), CORBA::TIMEOUT);
  }
  // The socket reports the age of the last octets, which are those of the client's CancelRequest.
  std::this_thread::sleep_for(50ms);
  hop.servant->gate.open();
  busy.join();
  object->look();  // earlier requests have been served or dropped by now
  EXPECT_EQ(hop.servant->started, 0);
  EXPECT_EQ(hop.orb->_requests_too_late(), 1u);
  client->destroy();
}

TEST_P(Deadlines, ARequestWhoseTimeIsOverIsNotDispatched) {
  for (const char* connections : {"exclusive", "multiplexed", "multiplexed-active"}) {
    const bool waits = std::string(GetParam()) != "thread-per-connection" || connections[0] != 'e';
    if (waits) expect_not_begun(GetParam(), connections);
  }
}

// Also where the transport does not report the age of octets.
TEST(DeadlinesOverEachTransport, ARequestThatItsClientHasGivenUpIsNotDispatched) {
  const Folder folder;
  for (const std::string& endpoint : {"unix:" + folder / "socket", "shm:" + folder / "memory"})
    for (const char* connections : {"exclusive", "multiplexed", "multiplexed-active"})
      expect_not_begun("reactive", connections, endpoint);
}

TEST(DeadlinesOverEachTransport, WhatProbesSeeIsCancelledToo) {
  const Folder folder;
  for (const char* connections : {"exclusive", "multiplexed", "multiplexed-active"})
    expect_not_begun("reactive", connections, "shm:" + folder / connections,
                     {"-ORBTimeProbes", folder / "probes"});
}

// The deadline is not far before the usual timeout.
TEST(DeadlinesOfSharedConnections, TheOneWhoReadsForAllKeepsItsOwn) {
  Hop hop("reactive");
  const Orb caller =
      make_orb({"-ORBClientConnections", "multiplexed", "-ORBRoundTripTimeout", "1900ms"}, "caller");
  const HopRef object = hop.seen_from(caller);
  const auto begin = std::chrono::steady_clock::now();
  {
    const takt::DeadlineScope in_time(1s);
    EXPECT_THROW(object->wait(), CORBA::TIMEOUT);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1500ms) << "not at the usual timeout";
  hop.servant->gate.open();
  caller->destroy();
}

TEST_P(Deadlines, ACallWithoutTimeIsNotEvenSent) {
  Hop hop(GetParam());
  const HopRef object = hop.seen_from(client);
  const takt::DeadlineScope over(-1ms);
  try {
    object->look();
    ADD_FAILURE();
  } catch (const CORBA::TIMEOUT& timeout) {
    EXPECT_EQ(timeout.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(hop.orb->_requests_too_late(), 0u);
}

struct Overload {
  int calls, answered, timed_out, upcalls, begun_late;
  std::uint64_t refused;
};

// Makes twice as many calls as three single-threaded hops have time for.
Overload overload(const std::string& architecture, const Orb& client, std::chrono::nanoseconds in_time) {
  Hop third(architecture), second(architecture), first(architecture);
  first.servant->next = second.seen_from(first.orb);
  second.servant->next = third.seen_from(second.orb);
  const HopRef object = first.seen_from(client);
  {
    const takt::DeadlineScope long_enough(10s);
    object->work();
  }
  constexpr int clients = 8, calls = 60;
  constexpr auto period = clients * 3 * work_time / 2;
  std::atomic<int> answered{0}, timed_out{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i)
    threads.emplace_back([&, i] {
      auto next = std::chrono::steady_clock::now() + i * period / clients;
      std::this_thread::sleep_until(next);
      for (int call = 0; call < calls; ++call) {
        const takt::DeadlineScope deadline(in_time);
        try {
          object->work();
          ++answered;
        } catch (const CORBA::TIMEOUT&) {
          ++timed_out;
        }
        std::this_thread::sleep_until(next += period);
      }
    });
  for (auto& thread : threads) thread.join();
  Overload seen{clients * calls, answered, timed_out, 0, 0, 0};
  for (const Hop* hop : {&first, &second, &third}) {
    seen.refused += hop->orb->_requests_too_late();
    seen.begun_late += hop->servant->started_late;
    seen.upcalls += hop->servant->started;
  }
  return seen;
}

// On a busy machine, no call may succeed in the time that an idle machine needs, and clients may give up
// before a request reaches its server.
TEST_P(Deadlines, InAnOverloadedChainNoUpcallStartsTooLate) {
  if (std::string(GetParam()) == "thread-per-connection") GTEST_SKIP() << "requests do not wait there";
  std::uint64_t refused = 0;
  int answered = 0;
  for (auto in_time = 9 * work_time / 2; (answered == 0 || refused == 0) && in_time < 100ms; in_time *= 2) {
    const Overload seen = overload(GetParam(), client, in_time);
    std::cout << seen.answered << " answered, " << seen.timed_out << " timed out, " << seen.upcalls
              << " upcalls, " << seen.refused << " requests refused\n";
    EXPECT_EQ(seen.begun_late, 0);
    EXPECT_EQ(seen.answered + seen.timed_out, seen.calls);
    answered += seen.answered;
    refused += seen.refused;
  }
  EXPECT_GT(answered, 0);
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace feature
