#include "server/late/late_replies.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "../rooms/memory_stream.h"
#include "../rooms/rooms.h"
#include "../threads/named_thread.h"
#include "giop/header/message_header.h"
#include "giop/message/reply.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::server {
namespace {

class LateRepliesTest : public testing::Test {
 protected:
  static GatherBuffer reply(std::uint32_t id) {
    GatherBuffer buffer;
    cdr::Encoder encoder(buffer);
    giop::write_reply(encoder, {1, 2}, {.request_id = id});
    giop::finish_message(buffer);
    return buffer;
  }
  LateTicket begin(std::uint8_t minor) {
    LateTicket ticket{minor};
    EXPECT_EQ(late->begin(ticket), LateSender::Begun::due);
    return ticket;
  }
  void send(const LateTicket& ticket, std::uint32_t id) {
    GatherBuffer message = reply(id);
    late->send(ticket, &message);
  }
  // The ids of the replies that were sent.
  std::vector<std::uint32_t> sent() const {
    std::vector<std::uint32_t> ids;
    for (std::size_t at = 0; at + 16 <= wire.outgoing.size();) {
      ids.push_back(giop::load_u32(&wire.outgoing[at + 12], false));
      at += 12 + giop::load_u32(&wire.outgoing[at + 8], false);
    }
    return ids;
  }
  using Ids = std::vector<std::uint32_t>;

  rooms::Wire wire;
  std::shared_ptr<rooms::Rooms> rooms = rooms::Rooms::make();
  rooms::MemoryStream stream{wire};
  LiveSetting<std::chrono::nanoseconds> patience{std::chrono::seconds(30)};
  WriteBuffer out{stream, 0, patience};
  std::shared_ptr<LateReplies> late = std::make_shared<LateReplies>(out, stream, rooms->server);
};

TEST_F(LateRepliesTest, LeaveWhenTheyAreGiven) {
  const LateTicket first = begin(2), second = begin(2);
  send(second, 2);
  EXPECT_EQ(sent(), Ids{2});
  EXPECT_TRUE(late->is_due());
  send(first, 1);
  EXPECT_EQ(sent(), (Ids{2, 1}));
  EXPECT_FALSE(late->is_due());
}

TEST_F(LateRepliesTest, KeepTheOrderOfEarlyVersions) {
  const LateTicket first = begin(0), second = begin(1);
  GatherBuffer own = reply(3);
  EXPECT_TRUE(out.send(own));  // the connection's own thread has answered a later request
  send(second, 2);
  EXPECT_EQ(sent(), Ids{});
  send(first, 1);
  EXPECT_EQ(sent(), (Ids{1, 2, 3}));
  GatherBuffer next = reply(4);
  EXPECT_TRUE(out.send(next));
  EXPECT_EQ(sent(), (Ids{1, 2, 3, 4}));
}

TEST_F(LateRepliesTest, AreLimitedInNumber) {
  for (std::uint32_t i = 0; i < LateSender::most_due; ++i) begin(2);
  LateTicket one_too_many;
  EXPECT_EQ(late->begin(one_too_many), LateSender::Begun::too_many);
  EXPECT_EQ(rooms->server.due_answers.count(), LateSender::most_due);
  send({}, 1);
  EXPECT_EQ(late->begin(one_too_many), LateSender::Begun::due);
  late->end();
  EXPECT_EQ(rooms->server.due_answers.count(), 0u) << "nobody waits for answers of a closed connection";
}

TEST_F(LateRepliesTest, AreDroppedAfterTheEnd) {
  const LateTicket ticket = begin(1);
  late->end();
  send(ticket, 1);
  EXPECT_EQ(sent(), Ids{});
  LateTicket another;
  EXPECT_EQ(late->begin(another), LateSender::Begun::over);
}

TEST_F(LateRepliesTest, EndAConnectionWhoseAnswerHasNoMemory) {
  const LateTicket ticket = begin(2);
  int reports = 0;
  rooms->server.report = [&](LogEvent event, const std::string&) {
    reports += event == LogEvent::connection_lost ? 1 : 0;
  };
  late->send(ticket, nullptr);
  EXPECT_EQ(reports, 1);
  EXPECT_FALSE(late->is_due());
  EXPECT_EQ(rooms->server.due_answers.count(), 0u);
  EXPECT_TRUE(wire.shut);
}

TEST_F(LateRepliesTest, EndAConnectionThatHoldsTooMuch) {
  const std::size_t most = 2 * rooms->server.protocol.limits->message_bytes;
  const std::vector<std::uint8_t> octets(1 << 20);
  begin(0);
  bool goes_on = true;
  std::size_t held = 0;
  while (goes_on && held <= most) {
    GatherBuffer message;
    message.borrow(octets);
    held += octets.size();
    goes_on = out.send(message);
  }
  EXPECT_FALSE(goes_on);
  EXPECT_GT(held, most);
}

TEST_F(LateRepliesTest, AreWrittenAtThePriorityOfTheMostUrgentThreadThatLeftSome) {
  const os::Scheduling urgent{os::SchedulingClass::fifo, 30};
  if (!os::may_use(urgent)) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  wire.write_limit = 0;
  send(begin(2), 1);
  EXPECT_EQ(os::priority_of_thread_named("takt-late"), 0);
  rooms::Wire other_wire;
  other_wire.write_limit = 0;
  rooms::MemoryStream other_stream{other_wire};
  WriteBuffer other_out{other_stream, 0, patience};
  const auto other = std::make_shared<LateReplies>(other_out, other_stream, rooms->server);
  LateTicket ticket{2};
  ASSERT_EQ(other->begin(ticket), LateSender::Begun::due);
  std::thread([&] {
    EXPECT_EQ(os::set_scheduling(urgent), 0);
    GatherBuffer message = reply(2);
    other->send(ticket, &message);
  }).join();
  EXPECT_EQ(os::priority_of_thread_named("takt-late"), urgent.priority);
  other->end();
  late->end();
}

}  // namespace
}  // namespace takt::server
