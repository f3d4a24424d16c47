#include "server/channel/server_channel.h"

#include <gtest/gtest.h>

#include <sys/syscall.h>
#include <unistd.h>
#include "../rooms/rooms.h"

#include <chrono>
#include <numeric>
#include <set>
#include <span>
#include <thread>

#include <takt/cdr/codec.h>

#include "../rooms/memory_stream.h"
#include "giop/contexts/invocation_policies.h"
#include "giop/header/message_header.h"
#include "giop/known_contexts.h"
#include "giop/lite/messages.h"
#include "giop/lite/operation_handle.h"
#include "giop/message/request.h"
#include "reference/policies/utc_time.h"
#include "server/reports.h"

namespace takt::server {
namespace {

using rooms::MemoryStream;
using rooms::Wire;
using Progress = ServerChannel::Progress;
using Octets = std::vector<std::uint8_t>;

// Counts calls of the sched_yield() below.
struct Yields {
  int count = 0;
  std::chrono::milliseconds takes{};
};
thread_local constinit Yields yields;

// Answers "twice" with twice its argument and "long" with many octets; never answers "nothing".
class Doubling : public Dispatcher {
 public:
  void dispatch(ServerCall& call) noexcept override {
    operations.emplace_back(call.operation());
    if (call.operation() == "twice") call.begin_reply().put(2 * call.arguments().get_u32());
    if (call.operation() == "long") cdr::write(call.begin_reply(), much);
    if (call.operation() == "unknown") call.system_exception(CORBA::BAD_OPERATION(CORBA::omg_minor(2)));
  }
  reference::LocateAnswer locate(ByteView key) noexcept override {
    return {
        key.size() == 3 ? reference::LocateAnswer::Status::here : reference::LocateAnswer::Status::unknown,
        {}};
  }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }

  std::vector<std::string> operations;
  const Octets much = Octets(100000, 7);  // lent to the reply until it is sent
};

class ServerChannelTest : public ::testing::Test {
 protected:
  ServerChannelTest() { rooms->server.dispatcher = &dispatcher; }

  static Octets request(std::uint32_t id, std::string_view operation, std::uint32_t argument,
                        std::uint8_t flags = giop::response_from_target) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(
        encoder, giop::PreparedTarget::for_key({1, 2}, key),
        {.request_id = id, .response_flags = flags, .operation = operation, .has_body = true});
    encoder.put(argument);
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }
  void feed(const Octets& octets) { wire.incoming.insert(wire.incoming.end(), octets.begin(), octets.end()); }
  Progress serve_all(ServerChannel& served) {
    Progress progress = Progress::wants_read;
    while (!wire.incoming.empty() && progress == Progress::wants_read) progress = served.serve();
    return progress;
  }
  // The sent messages: type and request id.
  std::vector<std::pair<int, std::uint32_t>> replies() const {
    std::vector<std::pair<int, std::uint32_t>> found;
    for (std::size_t at = 0; at + 12 <= wire.outgoing.size();) {
      const std::uint32_t size = giop::load_u32(&wire.outgoing[at + 8], false);
      found.emplace_back(wire.outgoing[at + 7],
                         size >= 4 ? giop::load_u32(&wire.outgoing[at + 12], false) : 0);
      at += 12 + size;
    }
    return found;
  }

  rooms::Wire wire;
  Doubling dispatcher;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  ServerChannel channel{std::make_unique<rooms::MemoryStream>(wire), ServerChannel::Waiting::reactive,
                        rooms->server};
};

// A channel whose client numbers its names.
class NumberedNames : public ServerChannelTest {
 protected:
  struct Numbering final : Dispatcher {
    void dispatch(ServerCall& call) noexcept override {
      by_name.push_back(call.request_id());
      call.begin_reply().put(call.arguments().get_u32());
    }
    void dispatch_by_handle(ServerCall& call, giop::lite::OperationHandle& handle) noexcept override {
      by_handle.push_back(call.request_id());
      handles.insert(&handle);
      call.begin_reply().put(call.arguments().get_u32());
    }
    reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
    reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
      return reference::LocalAnswer::by_wire;
    }
    std::vector<std::uint32_t> by_name, by_handle;
    std::set<giop::lite::OperationHandle*> handles;
  };
  using Ids = std::vector<std::uint32_t>;

  NumberedNames() { rooms->server.dispatcher = &numbering; }

  static Octets with(std::uint32_t id, std::string_view operation,
                     std::vector<giop::ServiceContext> contexts) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                        {.request_id = id, .operation = operation, .contexts = contexts, .has_body = true});
    encoder.put(id);
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }
  // A request that offers a number for its names.
  static Octets offer(std::uint32_t id, std::string_view operation, std::uint16_t number) {
    const auto data = giop::write_number_data(number);
    return with(id, operation, {{giop::lite::offer_context, data}});
  }
  static Octets numbered(std::uint32_t id, std::uint16_t number,
                         std::span<const giop::ServiceContext> contexts = {}) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    giop::lite::write_request(encoder, number, {.request_id = id, .contexts = contexts, .has_body = true});
    encoder.put(id);
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }

  Numbering numbering;
  ServerChannel lite{std::make_unique<rooms::MemoryStream>(wire), ServerChannel::Waiting::reactive,
                     rooms->server, giop::Messaging::lite};
};

TEST_F(NumberedNames, RequestsWithANumberAreDispatchedByItsHandle) {
  feed(offer(2, "twice", 7));
  feed(numbered(4, 7));
  feed(offer(6, "long", 9));
  feed(numbered(8, 9));
  feed(numbered(10, 7));
  feed(request(12, "twice", 12));
  EXPECT_EQ(serve_all(lite), Progress::wants_read);
  EXPECT_EQ(numbering.by_name, (Ids{2, 6, 12}));
  EXPECT_EQ(numbering.by_handle, (Ids{4, 8, 10}));
  EXPECT_EQ(numbering.handles.size(), 2u) << "one for each number";
}

TEST_F(NumberedNames, RequestsWithContextsAreDispatchedByName) {
  feed(offer(2, "twice", 7));
  const Octets data{0, 1};
  feed(numbered(4, 7, std::vector<giop::ServiceContext>{{77, data}}));
  feed(numbered(6, 7));
  EXPECT_EQ(serve_all(lite), Progress::wants_read);
  EXPECT_EQ(numbering.by_name, (Ids{2, 4}));
  EXPECT_EQ(numbering.by_handle, (Ids{6}));
}

TEST_F(NumberedNames, RefusedRequestsAreNotDispatched) {
  feed(offer(2, "twice", 7));
  EXPECT_EQ(serve_all(lite), Progress::wants_read);
  lite.refuse_requests(true);
  feed(numbered(4, 7));
  EXPECT_EQ(serve_all(lite), Progress::wants_read);
  EXPECT_EQ(numbering.by_handle, Ids());
  lite.refuse_requests(false);
  feed(numbered(6, 7));
  EXPECT_EQ(serve_all(lite), Progress::wants_read);
  EXPECT_EQ(numbering.by_handle, (Ids{6}));
}

TEST_F(NumberedNames, ANumberWithoutMeaningEndsTheConnection) {
  for (const std::uint16_t number :
       {std::uint16_t{8}, std::uint16_t{1023}, std::uint16_t{1024}, std::uint16_t{65535}}) {
    ServerChannel attacked{std::make_unique<rooms::MemoryStream>(wire), ServerChannel::Waiting::reactive,
                           rooms->server, giop::Messaging::lite};
    feed(offer(2, "twice", 7));
    feed(numbered(4, number));
    EXPECT_EQ(serve_all(attacked), Progress::closed) << number;
    wire.incoming.clear();
  }
  EXPECT_EQ(numbering.by_handle, Ids());
}

TEST_F(NumberedNames, AChannelOfGiopAloneHasNoHandles) {
  feed(offer(2, "twice", 7));
  feed(request(4, "twice", 4));
  EXPECT_EQ(serve_all(channel), Progress::wants_read);
  EXPECT_EQ(numbering.by_name, (Ids{2, 4}));
  feed(numbered(6, 7));
  EXPECT_EQ(serve_all(channel), Progress::closed);
  EXPECT_EQ(numbering.by_handle, Ids());
}

TEST_F(ServerChannelTest, RequestsThatArriveTogetherAreAllServedInOrder) {
  for (std::uint32_t id : {2u, 4u, 6u}) feed(request(id, "twice", id));
  EXPECT_EQ(serve_all(channel), Progress::wants_read);
  EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}, {1, 4}, {1, 6}}));
  EXPECT_EQ(giop::load_u32(&wire.outgoing[24], false), 4u) << "twice two";
}

TEST_F(ServerChannelTest, ARequestMayArriveOctetByOctet) {
  wire.read_limit = 1;
  feed(request(2, "twice", 21));
  EXPECT_EQ(serve_all(channel), Progress::wants_read);
  ASSERT_EQ(replies().size(), 1u);
  EXPECT_EQ(giop::load_u32(&wire.outgoing[24], false), 42u);
  EXPECT_FALSE(channel.mid_message());
}

TEST_F(ServerChannelTest, AOnewayGetsNoAnswer) {
  feed(request(2, "twice", 1, giop::no_response));
  serve_all(channel);
  EXPECT_EQ(dispatcher.operations.size(), 1u);
  EXPECT_TRUE(wire.outgoing.empty());
}

TEST_F(ServerChannelTest, SyncWithServerIsAnsweredOnceAndBeforeTheUpcall) {
  feed(request(2, "nothing", 1, giop::response_from_server));
  serve_all(channel);
  EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}}));
  EXPECT_EQ(giop::load_u32(&wire.outgoing[16], false), 0u) << "NO_EXCEPTION";
}

// Refuses each request for lack of a servant.
class Empty final : public Doubling {
 public:
  void dispatch_early(ServerCall& call, EarlyReply&) noexcept override {
    call.system_exception(CORBA::OBJECT_NOT_EXIST());
  }
};

TEST_F(ServerChannelTest, SyncWithServerIsToldWhyThereIsNoUpcall) {
  Empty empty;
  rooms->server.dispatcher = &empty;
  for (const std::uint32_t id : {2, 4}) feed(request(id, "nothing", 1, giop::response_from_server));
  serve_all(channel);
  EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}, {1, 4}}));
  EXPECT_EQ(giop::load_u32(&wire.outgoing[16], false), 2u) << "SYSTEM_EXCEPTION";
}

// The system exception of the only reply.
class Refusals : public ServerChannelTest {
 protected:
  void expect_only(std::string_view repository_id, CORBA::CompletionStatus completed) const {
    ASSERT_EQ(replies().size(), 1u);
    EXPECT_EQ(giop::load_u32(&wire.outgoing[16], false), 2u) << "SYSTEM_EXCEPTION";
    const auto length = giop::load_u32(&wire.outgoing[24], false);
    ASSERT_LE(28 + length, wire.outgoing.size());
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(&wire.outgoing[28]), length - 1), repository_id);
    EXPECT_EQ(giop::load_u32(&wire.outgoing[wire.outgoing.size() - 4], false), completed);
  }
  static Octets request_with(const giop::InvocationPolicies& policies, std::uint8_t flags) {
    const giop::InvocationPoliciesData data(policies);
    const giop::ServiceContext contexts[] = {{giop::invocation_policies_context, data.octets()}};
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request_with_contexts(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                                      {.request_id = 2,
                                       .response_flags = flags,
                                       .operation = "twice",
                                       .contexts = contexts,
                                       .has_body = true});
    encoder.put(std::uint32_t{21});
    giop::finish_message(buffer);
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }
};

TEST_F(Refusals, ARequestWhoseReplyComesTooLateBeforeItsUpcallIsNotCompleted) {
  const auto past = std::chrono::steady_clock::now() - std::chrono::seconds(5);
  feed(request_with({.reply_end = reference::utc_of(past)}, giop::response_from_target));
  serve_all(channel);
  EXPECT_TRUE(dispatcher.operations.empty());
  expect_only("IDL:omg.org/CORBA/TIMEOUT:1.0", CORBA::COMPLETED_NO);
}

TEST_F(Refusals, AReactiveServerDoesNotWaitForAStart) {
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  feed(request_with({.request_start = reference::utc_of(soon)}, giop::response_from_target));
  serve_all(channel);
  EXPECT_TRUE(dispatcher.operations.empty());
  expect_only("IDL:omg.org/CORBA/TRANSIENT:1.0", CORBA::COMPLETED_NO);
}

TEST_F(Refusals, SyncWithServerIsToldOfAFullQueueInPlaceOfTheEarlyAnswer) {
  channel.refuse_requests(true);
  feed(request(2, "twice", 1, giop::response_from_server));
  serve_all(channel);
  EXPECT_TRUE(dispatcher.operations.empty());
  expect_only("IDL:omg.org/CORBA/TRANSIENT:1.0", CORBA::COMPLETED_NO);
}

TEST_F(Refusals, OnewaysAreServedAlsoWhereTheQueueIsFull) {
  channel.refuse_requests(true);
  feed(request(2, "twice", 1, giop::no_response));
  serve_all(channel);
  EXPECT_EQ(dispatcher.operations.size(), 1u);
  EXPECT_TRUE(wire.outgoing.empty());
}

TEST_F(ServerChannelTest, ACallThatNobodyAnsweredIsUnknown) {
  feed(request(2, "nothing", 1));
  serve_all(channel);
  ASSERT_EQ(replies().size(), 1u);
  EXPECT_EQ(giop::load_u32(&wire.outgoing[16], false), 2u) << "SYSTEM_EXCEPTION";
}

TEST_F(ServerChannelTest, WhatIsNotGiopGetsMessageErrorAndTheEnd) {
  feed(Octets(64, 0xff));
  EXPECT_EQ(serve_all(channel), Progress::closed);
  ASSERT_GE(wire.outgoing.size(), 12u);
  EXPECT_EQ(wire.outgoing[7], 6);
}

TEST_F(ServerChannelTest, APeerThatDoesNotReadHoldsUpOnlyItself) {
  wire.write_limit = 50000;
  feed(request(2, "long", 0));
  feed(request(4, "twice", 1));
  EXPECT_EQ(serve_all(channel), Progress::wants_write);
  EXPECT_EQ(dispatcher.operations.size(), 1u) << "the next request waits behind the reply";
  wire.write_limit = SIZE_MAX;
  EXPECT_EQ(channel.flush(), Progress::wants_read);
  EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}, {1, 4}}));
}

// A stream that always reports that it can be written.
class MakingRoomByReading final : public rooms::MemoryStream, public transport::SelfPacing {
 public:
  explicit MakingRoomByReading(rooms::Wire& wire) : MemoryStream(wire, {.self_pacing = this}) {}
  os::TimePoint next_read_deadline() override { return os::no_deadline; }
  bool write_waits_for_read() const override { return true; }
  bool holds_unsent() override { return false; }
  void probe_silent_peer(os::TimePoint) override {}
};

TEST_F(ServerChannelTest, WhatItWaitsForDependsOnWhereRoomComesFrom) {
  ServerChannel by_reading(std::make_unique<MakingRoomByReading>(wire), ServerChannel::Waiting::reactive,
                           rooms->server);
  for (ServerChannel* one : {&channel, &by_reading}) {
    EXPECT_EQ(one->waits_for(), os::Interest::read);
    wire.write_limit = 50000;
    feed(request(2, "long", 0));
    EXPECT_EQ(serve_all(*one), Progress::wants_write);
    EXPECT_TRUE(one->is_writing());
    EXPECT_EQ(one->waits_for(), one == &channel ? os::Interest::write : os::Interest::read);
    wire.write_limit = SIZE_MAX;
    EXPECT_EQ(one->flush(), Progress::wants_read);
    EXPECT_EQ(one->waits_for(), os::Interest::read);
  }
}

TEST_F(ServerChannelTest, NothingFollowsAReplyThatHasLeftInPart) {
  wire.write_limit = 50000;
  feed(request(2, "long", 0));
  EXPECT_EQ(serve_all(channel), Progress::wants_write);
  wire.write_limit = 12;  // just enough for CloseConnection
  channel.close_orderly();
  EXPECT_EQ(wire.outgoing.size(), 50012u);
  EXPECT_EQ(wire.outgoing.back(), 7) << "what follows is the reply's";
}

TEST_F(ServerChannelTest, AReplyThatWaitsIsSentBeforeTheConnectionCloses) {
  wire.write_limit = 50000;
  feed(request(2, "long", 0));
  EXPECT_EQ(serve_all(channel), Progress::wants_write);
  wire.write_limit = SIZE_MAX;
  channel.close_orderly(std::chrono::steady_clock::now() + std::chrono::seconds(10));
  EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}, {5, 0}}));
}

// Decodes octets, and keeps them.
struct KeepingOctets final : Dispatcher {
  void dispatch(ServerCall& call) noexcept override {
    Octets octets;
    const bool read = cdr::read(call.arguments(), octets);
    kept.push_back(std::move(octets));
    call.begin_reply().put(std::uint32_t{read});
  }
  reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }
  std::vector<Octets> kept;
};

// Notes the last place to which it read, and the number of reads.
struct NotingReads final : MemoryStream {
  NotingReads(Wire& wire, const std::uint8_t*& last, unsigned& reads)
      : MemoryStream(wire), last_(last), reads_(reads) {}
  transport::IoResult read(MutableBytes into) override {
    last_ = into.data();
    ++reads_;
    return MemoryStream::read(into);
  }
  const std::uint8_t*& last_;
  unsigned& reads_;
};

TEST_F(ServerChannelTest, AReactorHandsLongOctetsOverWhereTheyWereRead) {
  KeepingOctets keeping;
  rooms->server.dispatcher = &keeping;
  const std::uint8_t* last = nullptr;
  unsigned reads = 0;
  ServerChannel served(std::make_unique<NotingReads>(wire, last, reads), ServerChannel::Waiting::reactive,
                       rooms->server);
  Octets octets(600'000);
  std::iota(octets.begin(), octets.end(), std::uint8_t{0});
  for (int i = 0; i < 2; ++i) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    encoder.set_borrowing(false);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                        {.request_id = 1, .operation = "keep", .has_body = true});
    cdr::write(encoder, octets);
    giop::finish_message(buffer);
    feed({buffer.owned(), buffer.owned() + buffer.owned_size()});
    feed(request(2, "short", 0));
  }
  ASSERT_EQ(served.serve(), Progress::wants_read);
  EXPECT_TRUE(keeping.kept.empty()) << "other connections have their turn";
  EXPECT_LT(wire.incoming.size(), 2 * octets.size());
  while (keeping.kept.empty()) ASSERT_EQ(served.serve(), Progress::wants_read);
  const Octets& first = keeping.kept[0];
  EXPECT_TRUE(last > first.data() && last < first.data() + first.size());
  EXPECT_LE(reads, 10u);
  EXPECT_EQ(serve_all(served), Progress::wants_read);
  ASSERT_EQ(keeping.kept.size(), 4u);
  EXPECT_TRUE(keeping.kept[0] == octets && keeping.kept[2] == octets);
  EXPECT_EQ(replies().size(), 4u);
}

TEST_F(ServerChannelTest, TheEndOfTheStreamIsTheEnd) {
  wire.ended = true;
  EXPECT_EQ(channel.serve(), Progress::closed);
}

// Oneways one by one, as fast as possible.
class GivingWay : public ServerChannelTest {
 protected:
  void serve_oneways(ServerChannel& served, int count) {
    for (int i = 0; i < count; ++i) {
      feed(request(2, "nothing", 1, giop::no_response));
      ASSERT_EQ(served.serve(), Progress::wants_read);
    }
  }
  // Also records how often the thread yielded its processor meanwhile.
  template <class Body>
  static int yields_during(const Body& body) {
    const int before = yields.count;
    body();
    return yields.count - before;
  }
  ServerChannel blocking{std::make_unique<rooms::MemoryStream>(wire), ServerChannel::Waiting::blocking,
                         rooms->server};
};

TEST_F(GivingWay, FollowsManyFastOneways) {
  EXPECT_EQ(yields_during([&] { serve_oneways(blocking, 16); }), 0) << "these are not many yet";
  EXPECT_GT(yields_during([&] { serve_oneways(blocking, 1000); }), 0);
}

TEST_F(GivingWay, DoesNotFollowThoseThatComeTogetherNorCallsNorHappenWhereAThreadHasOthersToServe) {
  EXPECT_EQ(yields_during([&] {
              for (int i = 0; i < 500; ++i) {
                feed(request(2, "nothing", 1, giop::no_response));
                serve_oneways(blocking, 1);
              }
            }),
            0)
      << "two at a time";
  EXPECT_EQ(yields_during([&] {
              for (int i = 0; i < 1000; ++i) feed(request(2, "twice", 1)), serve_all(blocking);
            }),
            0);
  EXPECT_EQ(yields_during([&] { serve_oneways(channel, 1000); }), 0);
}

TEST_F(GivingWay, EndsForSomeTimeWhereSomebodyElseTookTheProcessor) {
  yields.takes = std::chrono::milliseconds(2);
  const auto begun = std::chrono::steady_clock::now();
  const int count = yields_during([&] { serve_oneways(blocking, 1000); });
  yields.takes = {};
  const auto seconds = std::chrono::steady_clock::now() - begun;
  EXPECT_GE(count, 1);
  EXPECT_LE(count, 1 + seconds / std::chrono::seconds(1)) << "it is a second";
}

// Requests are received completely before they are decoded, as for adapters with one upcall at a time.
class WholeBodies : public ServerChannelTest, public Dispatcher {
 protected:
  static constexpr std::size_t body_bytes = 300'000;

  WholeBodies() {
    rooms->protocol.limits->server_memory = memory;
    rooms->server.dispatcher = this;
  }
  void dispatch(ServerCall& call) noexcept override {
    try {
      EXPECT_EQ(call.body_arrives(), call.operation() == "long");
      ASSERT_TRUE(call.read_body_to_end());
      const auto sum = [](ByteView octets) { return std::accumulate(octets.begin(), octets.end(), 0u); };
      call.begin_reply().put(sum(call.arguments().get_octets_view(call.arguments().remaining())));
    } catch (const CORBA::SystemException& refusal) {
      refusals.push_back(refusal._rep_id());
      EXPECT_EQ(refusal.completed(), CORBA::COMPLETED_NO);
      call.system_exception(refusal);
    }
  }
  reference::LocateAnswer locate(ByteView) noexcept override { return {}; }
  reference::LocalAnswer call_local(const OperationId&, void*, const ByteView&) override {
    return reference::LocalAnswer::by_wire;
  }

  // A long request, then a short one: both get a reply.
  void serve_two() {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    const std::uint8_t key[] = {1, 2, 3};
    giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                        {.request_id = 2, .operation = "long", .has_body = true});
    encoder.set_borrowing(false);
    encoder.put_octets(Octets(body_bytes, 1));
    giop::finish_message(buffer);
    feed({buffer.owned(), buffer.owned() + buffer.owned_size()});
    feed(request(4, "short", 9));
    ServerChannel blocking(std::make_unique<rooms::MemoryStream>(wire), ServerChannel::Waiting::blocking,
                           rooms->server);
    EXPECT_EQ(serve_all(blocking), Progress::wants_read);
    EXPECT_EQ(replies(), (std::vector<std::pair<int, std::uint32_t>>{{1, 2}, {1, 4}}));
    left_bytes = memory->taken_bytes();
  }

  const std::shared_ptr<MemoryBudget> memory = std::make_shared<MemoryBudget>(4 << 20);
  std::vector<std::string> refusals;
  std::size_t left_bytes = 0;
};

TEST_F(WholeBodies, AreChargedAsLongAsTheyAreThere) {
  serve_two();
  EXPECT_TRUE(refusals.empty());
  EXPECT_EQ(giop::load_u32(&wire.outgoing[24], false), body_bytes) << "the sum of its octets";
  EXPECT_GE(memory->use().peak_bytes, body_bytes);
  EXPECT_EQ(left_bytes, 0u);
}

TEST_F(WholeBodies, ThatCouldNeverFitAreRefusedAndTheNextRequestIsServed) {
  memory->set_limit(body_bytes / 2);
  serve_two();
  EXPECT_EQ(refusals, std::vector<std::string>{"IDL:omg.org/CORBA/NO_MEMORY:1.0"});
  EXPECT_EQ(left_bytes, 0u);
}

TEST_F(WholeBodies, ForWhichOthersHaveTheMemoryAreTransient) {
  ASSERT_TRUE(memory->take(4'000'000));
  serve_two();
  EXPECT_EQ(refusals, std::vector<std::string>{"IDL:omg.org/CORBA/TRANSIENT:1.0"});
  EXPECT_EQ(left_bytes, 4'000'000u);
  memory->give_back(4'000'000);
}

}  // namespace
}  // namespace takt::server

// Takes precedence over the C library's.
extern "C" int sched_yield() noexcept {
  auto& yields = takt::server::yields;
  ++yields.count;
  if (yields.takes.count() > 0) std::this_thread::sleep_for(yields.takes);
  return static_cast<int>(::syscall(SYS_sched_yield));
}
