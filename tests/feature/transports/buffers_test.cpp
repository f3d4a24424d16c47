// Data that is sent from where it was written, over every transport.
#include <fstream>

#include <takt/cdr/any.h>
#include <takt/invocation/borrow_octets.h>
#include <takt/reference/messaging.h>

#include "../hostile/process.h"
#include "recorder.h"
#include "served.h"

namespace feature {
namespace {

using namespace std::chrono_literals;

CORBA::servant_reference<Recorder> serve(const Served& served, std::string& ior, std::size_t most) {
  const auto recorder = CORBA::make_reference<Recorder>(most);
  ior = served.server->object_to_string(served.root->id_to_reference(served.root->activate_object(recorder)));
  return recorder;
}
RecorderRef in(const Orb& orb, const std::string& ior) {
  return IDL::traits<Buffers::Recorder>::narrow(orb->string_to_object(ior));
}

takt::OctetBuffer filled(const RecorderRef& recorder, std::size_t bytes, std::uint8_t first) {
  takt::OctetBuffer buffer = takt::borrow_octets(recorder, bytes);
  EXPECT_EQ(buffer.size(), bytes);
  std::ranges::copy(numbered(bytes, first), buffer.begin());
  return buffer;
}

class BorrowedOctets : public testing::TestWithParam<OctetsOver> {
 protected:
  std::vector<std::string> server_options() const {
    return {"-ORBServerConcurrency", GetParam().concurrency, "-ORBMaxMessageSize", "64MiB"};
  }
  std::vector<std::string> client_options() const {
    return {"-ORBClientConnections", GetParam().connections, "-ORBLentMemory", "4MiB"};
  }
  const Served served{GetParam().endpoint, server_options(), client_options()};
  std::string ior;
};

TEST_P(BorrowedOctets, ArriveAsTheyAre) {
  serve(served, ior, 0);
  const auto recorder = in(served.client, ior);
  for (const std::size_t size : {0u, 1u, 5'000u, 8'192u, 40'000u, 1'000'000u, 3'000'000u, 7u})
    for (std::uint8_t round = 0; round < 5; ++round) {
      const auto pixels = filled(recorder, size, round), more = filled(recorder, size / 2, 1);
      EXPECT_EQ(recorder->frame(round, pixels, "name", more), size + size / 2) << size;
      EXPECT_EQ(recorder->frame(round, pixels, "name", numbered(20'000, 1)), size + 20'000) << size;
    }
  for (int round = 0; round < 100; ++round) recorder->note(filled(recorder, 50'000, 0));
  for (int i = 0; i < 3000 && recorder->noted() != 5'000'000; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(recorder->noted(), 5'000'000u);
}

// Both borrowed and ordinary data.
TEST_P(BorrowedOctets, ArriveAsTheyAreWhateverIsCopied) {
  serve(served, ior, 0);
  for (const takt::BufferCopies copies : {takt::ZERO_COPY, takt::SINGLE_COPY}) {
    const auto recorder = IDL::traits<Buffers::Recorder>::narrow(
        in(served.client, ior)
            ->_set_policy_overrides({CORBA::make_reference<takt::BufferPolicy>(copies)},
                                    CORBA::SetOverrideType::ADD_OVERRIDE));
    for (const std::size_t size : {0u, 7u, 1'024u, 5'000u, 40'000u, 1'000'000u})
      for (const std::size_t others : {std::size_t{500}, std::size_t{1'500}, std::size_t{20'000}})
        EXPECT_EQ(recorder->frame(3, filled(recorder, size, 3), "name", numbered(others, 1)), size + others)
            << size << ", " << others;
  }
}

// More than the available memory to borrow, so that some data is sent another way.
TEST_P(BorrowedOctets, ThatAreHeldStayAsTheyAre) {
  const auto servant = serve(served, ior, 30);
  const auto recorder = in(served.client, ior);
  for (std::uint8_t number = 0; number < 40; ++number) {
    const std::size_t size = number % 2 ? 1'000'000 : 20'000;
    EXPECT_EQ(recorder->frame(number, filled(recorder, size, number), "name", {}), size);
  }
  auto held = servant->take_held();
  ASSERT_EQ(held.size(), 30u);
  EXPECT_TRUE(are_numbered(held, 10));
}

INSTANTIATE_TEST_SUITE_P(OverMemory, BorrowedOctets, testing::ValuesIn(over_memory),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(OverSockets, BorrowedOctets,
                         testing::Values(OctetsOver{"unix", "unix:", "thread-per-connection", "exclusive"},
                                         OctetsOver{"tcp", "iiop://127.0.0.1:0", "reactive", "exclusive"}),
                         [](const auto& given) { return given.param.name; });

TEST(BorrowedMemory, IsOfTheConnectionAndReadThere) {
  for (const char* connections : {"exclusive", "cached", "multiplexed"}) {
    const Served served("shm:", {}, {"-ORBClientConnections", connections});
    std::string ior;
    const auto servant = serve(served, ior, 1);
    const auto recorder = in(served.client, ior);
    auto buffer = filled(recorder, 100'000, 5);
    EXPECT_EQ(recorder->frame(5, buffer, "name", {}), 100'000u);
    EXPECT_TRUE(buffer.is_shared());
    auto held = servant->take_held();
    buffer[3] = 77;
    EXPECT_EQ(held.at(0)[3], 77) << "the same memory";
    held.clear();
    EXPECT_FALSE(buffer.is_shared());
    recorder->frame(5, buffer, "name", {});
    const auto copied = servant->take_held();
    EXPECT_EQ(copied.size(), 1u);
  }
}

TEST(BorrowedMemory, IsGivenBackWithTheUpcall) {
  const Served served("shm:", {}, {"-ORBLentMemory", "1MiB"});
  std::string ior;
  serve(served, ior, 0);
  const auto recorder = in(served.client, ior);
  for (int round = 0; round < 50; ++round) {
    const auto buffer = filled(recorder, 700'000, 5);
    EXPECT_FALSE(buffer.is_shared());
    EXPECT_EQ(recorder->frame(5, buffer, "name", {}), 700'000u);
    EXPECT_FALSE(buffer.is_shared());
  }
}

TEST(BorrowedMemory, OfALocalObjectIsTheCallersAndStays) {
  const Served served("shm:");
  std::string ior;
  const auto servant = serve(served, ior, 1);
  const auto recorder = in(served.server, ior);
  auto buffer = filled(recorder, 100'000, 5);
  EXPECT_EQ(recorder->frame(5, buffer, "name", {}), 100'000u);
  EXPECT_NE(servant->take_held().at(0).data(), buffer.data());
}

using Copies = takt::BufferCopies;
CORBA::PolicyList copying(Copies copies) { return {CORBA::make_reference<takt::BufferPolicy>(copies)}; }

// Whether the data of that size held by a servant is at the address where the client has written it.
testing::AssertionResult in_place(const RecorderRef& recorder, Recorder& servant, std::size_t bytes) {
  auto buffer = filled(recorder, bytes, 5);
  EXPECT_EQ(recorder->frame(5, buffer, "name", {}), bytes);
  const auto held = servant.take_held();
  EXPECT_EQ(held.size(), 1u);
  const bool shared = buffer.is_shared();
  buffer[3] = 77;
  EXPECT_EQ(held.at(0)[3] == 77, shared);
  return shared ? testing::AssertionSuccess() << "in place" : testing::AssertionFailure() << "copied";
}

TEST(BufferPolicy, SaysWhatIsCopied) {
  const Served served("shm:");
  std::string ior;
  const auto servant = serve(served, ior, 1);
  const auto recorder = in(served.client, ior);
  const auto with = [&](Copies copies) {
    return IDL::traits<Buffers::Recorder>::narrow(
        recorder->_set_policy_overrides(copying(copies), CORBA::SetOverrideType::ADD_OVERRIDE));
  };
  for (const RecorderRef& usual : {recorder, with(takt::COPY_SHORT)}) {
    EXPECT_FALSE(in_place(usual, *servant, 8'191));
    EXPECT_TRUE(in_place(usual, *servant, 8'192));
  }
  EXPECT_FALSE(in_place(with(takt::ZERO_COPY), *servant, 1'023));
  EXPECT_TRUE(in_place(with(takt::ZERO_COPY), *servant, 1'024));
  EXPECT_FALSE(in_place(with(takt::SINGLE_COPY), *servant, 1'024));
  EXPECT_FALSE(in_place(with(takt::SINGLE_COPY), *servant, 100'000));
}

TEST(BufferPolicy, OfAReferenceGoesBeforeTheThreadsAndThatBeforeTheOrbs) {
  const Served served("shm:");
  std::string ior;
  const auto servant = serve(served, ior, 1);
  const auto recorder = in(served.client, ior);
  const auto add = CORBA::SetOverrideType::ADD_OVERRIDE;
  IDL::traits<CORBA::PolicyManager>::narrow(served.client->resolve_initial_references("ORBPolicyManager"))
      ->set_policy_overrides(copying(takt::SINGLE_COPY), add);
  EXPECT_FALSE(in_place(recorder, *servant, 100'000));
  const auto thread =
      IDL::traits<CORBA::PolicyCurrent>::narrow(served.client->resolve_initial_references("PolicyCurrent"));
  thread->set_policy_overrides(copying(takt::ZERO_COPY), add);
  EXPECT_TRUE(in_place(recorder, *servant, 2'000));
  const auto usual =
      IDL::traits<Buffers::Recorder>::narrow(recorder->_set_policy_overrides(copying(takt::COPY_SHORT), add));
  EXPECT_FALSE(in_place(usual, *servant, 2'000));
  thread->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);
  EXPECT_FALSE(in_place(recorder, *servant, 100'000));
}

TEST(BufferPolicy, IsMadeOfItsNumber) {
  const Served served("shm:");
  const auto make = [&](Copies copies) {
    CORBA::Any value;
    value <<= copies;
    return served.client->create_policy(takt::BUFFER_POLICY_TYPE, value);
  };
  const auto made = std::dynamic_pointer_cast<takt::BufferPolicy>(make(takt::SINGLE_COPY).shared());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->copies(), takt::SINGLE_COPY);
  for (const Copies wrong : {Copies{-1}, Copies{3}}) EXPECT_THROW(make(wrong), CORBA::PolicyError);
}

TEST(BorrowedMemory, OutlivesOrbs) {
  takt::OctetBuffer buffer;
  std::deque<takt::HeldOctets> held;
  {
    const Served served("shm:");
    std::string ior;
    const auto servant = serve(served, ior, 1);
    const auto recorder = in(served.client, ior);
    buffer = filled(recorder, 100'000, 5);
    EXPECT_EQ(recorder->frame(5, buffer, "name", {}), 100'000u);
    held = servant->take_held();
  }
  EXPECT_TRUE(std::ranges::equal(held.at(0), numbered(100'000, 5)));
  EXPECT_TRUE(std::ranges::equal(buffer, numbered(100'000, 5)));
}

TEST(BorrowedMemory, OfAnUnreachableObjectIsAnException) {
  std::string ior;
  const Orb client = make_orb({"-ORBConnectTimeout", "2s"}, "client");
  {
    const Served served("shm:");
    serve(served, ior, 0);
  }
  const auto recorder = takt::reference::make_stub<Buffers::Recorder>(client->string_to_object(ior)->_ref());
  EXPECT_THROW((void)takt::borrow_octets(recorder, 100), CORBA::TRANSIENT);
  client->destroy();
}

long connections_mapped() {
  std::ifstream maps("/proc/self/maps");
  long count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("takt-connection") != line.npos;
  return count;
}
void expect_soon_mapped(long count) {
  for (int i = 0; i < 3000 && connections_mapped() != count; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(connections_mapped(), count);
}

TEST(BorrowedMemory, OfAKilledSenderStaysUntilNobodyHoldsIt) {
  const long before = connections_mapped();
  const Served served("shm:");
  std::string ior;
  const auto servant = serve(served, ior, 3);
  for (int round = 0; round < 10; ++round) {
    Process sender(TAKT_SHARED_MEMORY_PEER, {"send-borrowed", ior});
    EXPECT_EQ(sender.line(), "ready");
    std::this_thread::sleep_for(std::chrono::microseconds(1000 * round));
    sender.kill();
    auto held = servant->take_held();
    for (const auto& octets : held)
      EXPECT_TRUE(std::ranges::equal(octets, numbered(octets.size(), octets[0]))) << octets.size();
    if (!held.empty()) {
      EXPECT_GT(connections_mapped(), before);
    }
    held.clear();
    for (int i = 0; i < 3000 && connections_mapped() != before; ++i) {
      servant->take_held();  // in calls that had arrived
      std::this_thread::sleep_for(1ms);
    }
    expect_soon_mapped(before);
  }
}

TEST(BorrowedMemory, OfAKilledReceiverIsTheSendersAsBefore) {
  const long before = connections_mapped();
  const Orb client = make_orb({}, "client");
  for (int round = 0; round < 6; ++round) {
    Process server(TAKT_SHARED_MEMORY_PEER, {"record", "-ORBListenEndpoints", "shm:"});
    std::jthread([&] {  // the thread's connections end with it
      const auto recorder = in(client, server.line());
      auto buffer = filled(recorder, 500'000, 9);
      EXPECT_EQ(recorder->frame(9, buffer, "name", {}), 500'000u);
      server.kill();
      EXPECT_THROW(recorder->frame(9, buffer, "name", {}), CORBA::SystemException);
      EXPECT_TRUE(std::ranges::equal(buffer, numbered(500'000, 9)));
    })
        .join();
    expect_soon_mapped(before);
  }
  client->destroy();
}

}  // namespace
}  // namespace feature
