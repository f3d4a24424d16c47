// Which octets leave a stream with faults.
#include "faults/faulty_stream.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "../giop/messages.h"
#include "../rooms/memory_stream.h"
#include "faults/parsed_head.h"

namespace takt::faults {
namespace {

using giop::test::all_makers;
using giop::test::MessageMaker;
using giop::test::Octets;
using transport::IoStatus;

struct Faulty {
  explicit Faulty(std::vector<Fault> faults, std::uint64_t seed = 1, const std::string& log = "")
      : stream(faulty_stream(std::make_unique<rooms::MemoryStream>(wire),
                             std::make_shared<FaultSource>(
                                 FaultPlan{.seed = seed, .log = log, .faults = std::move(faults)}))) {}

  // As an ORB writes: what is left is offered again.
  void write(ByteView octets, std::size_t at_once = SIZE_MAX) {
    while (!octets.empty()) {
      const std::size_t first = std::min(at_once, octets.size());
      const ByteView pieces[] = {octets.first(first), octets.subspan(first)};
      const auto result = stream->write_gather(pieces);
      ASSERT_TRUE(result.status == IoStatus::ok || result.status == IoStatus::would_block);
      ASSERT_EQ(result.bytes > 0, result.status == IoStatus::ok);
      octets = octets.subspan(result.bytes);
      wire.write_limit = at_once;
    }
  }

  rooms::Wire wire;
  std::unique_ptr<transport::Stream> stream;
};

Octets operator+(Octets a, const Octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const MessageMaker maker({1, 2}, cdr::native_order);

TEST(FaultyStream, LosesWholeMessagesOfTheOperation) {
  for (const MessageMaker& each : all_makers()) {
    Faulty faulty({{.kind = FaultKind::lose, .operation = "b"}});
    const Octets a = each.request(1, "a", "body"), b = each.request(2, "b", "a longer body");
    const Octets cancel = each.cancel(2);
    faulty.write(a + b + cancel + b + a, 7);
    EXPECT_EQ(faulty.wire.outgoing, a + cancel + a);
  }
}

TEST(FaultyStream, SendsARequestTwiceOfWhichOneExpectsNoReply) {
  for (const MessageMaker& each : all_makers())
    for (const std::size_t at_once : {std::size_t{1}, std::size_t{30}, SIZE_MAX}) {
      for (const bool with_contexts : {false, true}) {
        std::vector<giop::ServiceContext> contexts;
        const Octets data = giop::test::octets("12345");
        if (with_contexts) contexts.push_back({17, data});
        Faulty faulty({{.kind = FaultKind::twice}});
        const Octets request = each.request(5, "operation", "body", contexts);
        faulty.write(request, at_once);
        const Octets& out = faulty.wire.outgoing;
        ASSERT_EQ(out.size(), 2 * request.size());
        const auto half = static_cast<std::ptrdiff_t>(request.size());
        EXPECT_EQ(Octets(out.begin() + half, out.end()), request);
        ParsedHead copy;
        ASSERT_TRUE(parse_head(out, copy));
        EXPECT_NE(copy.event.request_id, 5u);
        EXPECT_FALSE(copy.event.response_expected);
        EXPECT_EQ(copy.event.operation, "operation");
        EXPECT_EQ(giop::test::text(copy.event.body).substr(0, 4), "body");
      }
    }
}

TEST(FaultyStream, CorruptsOctetsOfTheBodyAlone) {
  for (const MessageMaker& each : all_makers()) {
    Faulty faulty({{.kind = FaultKind::corrupt, .octets = 3}});
    const Octets request = each.request(1, "a", std::string(1000, 'x')), empty = each.request(2, "a", "");
    faulty.write(request + empty, 100);
    const Octets& out = faulty.wire.outgoing;
    ASSERT_EQ(out.size(), request.size() + empty.size());
    ParsedHead parsed;
    ASSERT_TRUE(parse_head(request, parsed));
    const std::size_t body = parsed.event.body_index;
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(body), request.begin()));
    const auto changed = [&] {
      int count = 0;
      for (std::size_t i = 0; i < request.size(); ++i) count += out[i] != request[i];
      return count;
    }();
    EXPECT_GE(changed, 1);
    EXPECT_LE(changed, 3);
    EXPECT_EQ(Octets(out.begin() + static_cast<std::ptrdiff_t>(request.size()), out.end()), empty);
  }
}

TEST(FaultyStream, SeveralCorruptOneMessage) {
  const Fault one{.kind = FaultKind::corrupt};
  Faulty faulty({one, one, one});
  const Octets request = maker.request(1, "a", std::string(10000, 'x'));
  faulty.write(request);
  const Octets& out = faulty.wire.outgoing;
  ASSERT_EQ(out.size(), request.size());
  int changed = 0;
  for (std::size_t i = 0; i < request.size(); ++i) changed += out[i] != request[i];
  EXPECT_EQ(changed, 3);
}

TEST(FaultyStream, KnowsTheOperationsOfReplies) {
  Faulty faulty({{.kind = FaultKind::lose, .message = Message::reply, .operation = "b"}});
  const Octets long_body(20'000, 'x');
  faulty.wire.incoming = maker.request(1, "a", giop::test::text(long_body)) + maker.close() +
                         maker.request(2, "b", "body") + maker.request(3, "a", "");
  faulty.wire.read_limit = 5;
  for (Octets into(64); faulty.stream->read(into).status == IoStatus::ok;) {
  }
  const auto reply = [](std::uint32_t id) {
    return maker.reply(id, giop::ReplyStatus::no_exception, "result");
  };
  faulty.write(reply(3) + reply(2) + reply(1) + reply(2));
  EXPECT_EQ(faulty.wire.outgoing, reply(3) + reply(1) + reply(2)) << "the last one answers nothing";
}

TEST(FaultyStream, LosesFragmentsWithTheirMessage) {
  for (const std::uint8_t minor : {1, 2}) {
    const MessageMaker each({1, minor}, cdr::ByteOrder::big);
    Octets first = each.request(1, "b", "12345678");
    first[6] |= giop::more_fragments_flag;
    const auto fragment = [&](std::uint32_t id, bool more) {
      Octets made = each.make(giop::MessageType::fragment, [&](cdr::Encoder& out) { out.put(id); });
      if (more) made[6] |= giop::more_fragments_flag;
      return made;
    };
    const Octets other = each.request(2, "a", "body");
    Faulty faulty({{.kind = FaultKind::lose, .operation = "b"}});
    faulty.write(first + fragment(1, true) + fragment(1, false) + other + fragment(2, false));
    EXPECT_EQ(faulty.wire.outgoing, other + fragment(2, false)) << int(minor);
  }
}

TEST(FaultyStream, LeavesOtherOctetsAsTheyAre) {
  Octets lite = maker.request(1, "a", "body");
  lite[0] = 'L';
  lite[1] = 1;
  const Octets noise(300, 0xff);
  Octets malformed = maker.request(1, "a", "body");
  malformed[12 + 12] = 0xff;  // the key's length
  for (const Octets& octets :
       {lite, noise, malformed, maker.close(), maker.error(), maker.locate_request(3)}) {
    Faulty faulty({{.kind = FaultKind::lose}, {.kind = FaultKind::twice}, {.kind = FaultKind::corrupt}});
    faulty.write(octets, 11);
    EXPECT_EQ(faulty.wire.outgoing, octets);
  }
}

// A message of which nothing could be written makes room for another one.
TEST(FaultyStream, ForgetsAMessageThatIsGivenUp) {
  Faulty faulty({{.kind = FaultKind::corrupt, .operation = "a"}});
  faulty.wire.write_limit = 0;
  EXPECT_EQ(faulty.stream->write(maker.request(1, "a", "body")).status, IoStatus::would_block);
  const Octets other = maker.request(2, "b", "another body");
  faulty.wire.write_limit = SIZE_MAX;
  faulty.write(other);
  EXPECT_EQ(faulty.wire.outgoing, other);
}

std::vector<int> lost_of_hundred(std::uint64_t seed, const Fault& fault) {
  Faulty faulty({fault}, seed);
  std::vector<int> lost;
  for (int i = 0; i < 100; ++i) {
    const std::size_t before = faulty.wire.outgoing.size();
    faulty.write(maker.request(1, "a", "body"));
    if (faulty.wire.outgoing.size() == before) lost.push_back(i);
  }
  return lost;
}

TEST(FaultyStream, HasFaultsByRateAndSeed) {
  const Fault half{.kind = FaultKind::lose, .rate = 0.5};
  const auto lost = lost_of_hundred(1, half);
  EXPECT_GT(lost.size(), 30u);
  EXPECT_LT(lost.size(), 70u);
  EXPECT_EQ(lost, lost_of_hundred(1, half));
  EXPECT_NE(lost, lost_of_hundred(2, half));
  EXPECT_EQ(lost_of_hundred(1, {.kind = FaultKind::lose, .skip = 10, .most = 3}), (std::vector{10, 11, 12}));
  EXPECT_TRUE(lost_of_hundred(1, {.kind = FaultKind::lose, .rate = 0}).empty());
}

TEST(FaultyStream, LogsEachFault) {
  const std::string path = testing::TempDir() + "takt-faults.log";
  std::filesystem::remove(path);
  {
    Faulty faulty({{.kind = FaultKind::delay,
                    .time = std::chrono::microseconds(1),
                    .up_to = std::chrono::microseconds(1)},
                   {.kind = FaultKind::lose, .skip = 1}},
                  1, path);
    faulty.write(maker.request(1, "a", "") + maker.request(2, "b\nlose request c 1", ""));
  }
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(text,
            "delay request a 1\ndelay request b?lose?request?c?1 2\nlose request b?lose?request?c?1 2\n");
  std::filesystem::remove(path);
  EXPECT_THROW(Faulty({}, 1, "/none/x.log"), std::runtime_error);
}

}  // namespace
}  // namespace takt::faults
