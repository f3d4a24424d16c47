#include <takt/server/late_answer.h>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../failing_memory.h"
#include "giop/contexts/priorities.h"
#include "server/intake/answer_path.h"
#include "server/request/request_times.h"
#include "server/server_options.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;

class FakeSender final : public LateSender, public AnswerPath {
 public:
  FakeSender() : LateSender(ServerOptions::no_limit_of_replies) {}
  Begun begin(LateTicket&) override {
    if (answer == Begun::due) ++begun;
    return answer;
  }
  void send(const LateTicket&, GatherBuffer* reply) noexcept override {
    // The allocations of this class never fail.
    const int until_failure = std::exchange(test::until_failure_here, -1);
    if (reply)
      sent.emplace_back(reply->owned(), reply->owned() + reply->size());
    else
      ++ended;
    test::until_failure_here = until_failure;
  }
  void end() noexcept override {}
  std::shared_ptr<LateSender> late_sender(Share) override { return self.lock(); }

  bool has_sent(std::string_view text) const {
    return !sent.empty() && sent.back().find(text) != std::string::npos;
  }

  Begun answer = Begun::due;
  int begun = 0;
  int ended = 0;
  std::vector<std::string> sent;
  std::weak_ptr<LateSender> self;
};

class LateAnswerTest : public testing::Test {
 protected:
  LateAnswerTest() {
    sender->self = sender;
    reply.path = sender.get();
  }
  ServerCall call(bool response_expected = true) {
    return {{.request_id = 7, .response_expected = response_expected, .object_key = {}, .operation = "op"},
            {},
            0,
            {},
            reply};
  }
  std::shared_ptr<FakeSender> sender = std::make_shared<FakeSender>();
  ReplyBuffer reply;
};

TEST_F(LateAnswerTest, LeavesTheCallWithoutAnAnswer) {
  ServerCall upcall = call();
  LateAnswer answer(upcall, "op");
  EXPECT_FALSE(upcall.response_expected());
  EXPECT_FALSE(upcall.answered());
  EXPECT_FALSE(answer.is_given());
  LateAnswer::Giving(answer).call().begin_reply(false);
  EXPECT_TRUE(answer.is_given());
  EXPECT_EQ(sender->sent.size(), 1u);
}

TEST_F(LateAnswerTest, IsUnknownIfNothingIsEncoded) {
  ServerCall upcall = call();
  LateAnswer answer(upcall, "op");
  {
    const LateAnswer::Giving giving(answer);
  }
  EXPECT_TRUE(sender->has_sent("IDL:omg.org/CORBA/UNKNOWN:1.0"));
}

TEST_F(LateAnswerTest, TimesOutAfterTheReplysEndTime) {
  RequestTimes times;
  times.reply_end = RequestTimes::Clock::now() - 1ns;
  const auto answer = [&]() -> std::unique_ptr<LateAnswer> {
    const TimedRequest timed(times);
    ServerCall upcall = call();
    return std::make_unique<LateAnswer>(upcall, "op");
  }();
  LateAnswer::Giving(*answer).call().begin_reply(false);
  EXPECT_TRUE(sender->has_sent("IDL:omg.org/CORBA/TIMEOUT:1.0"));
}

TEST_F(LateAnswerTest, TellsThePriorityOfItsUpcall) {
  ServerCall upcall = call();
  upcall.set_reply_priority(1234);
  LateAnswer answer(upcall, "op");
  LateAnswer::Giving(answer).call().begin_reply(false);
  const auto context = giop::write_priority_context(1234);
  EXPECT_TRUE(sender->has_sent({reinterpret_cast<const char*>(context.data()), context.size()}));
}

TEST_F(LateAnswerTest, IsRefusedIfTooManyAreDue) {
  sender->answer = LateSender::Begun::too_many;
  ServerCall upcall = call();
  EXPECT_THROW(LateAnswer(upcall, "op"), CORBA::TRANSIENT);
  EXPECT_TRUE(upcall.response_expected()) << "the skeleton answers with the exception";
}

TEST_F(LateAnswerTest, IsNotImplementedForACallerThatCannotWait) {
  reply.path = nullptr;
  ServerCall upcall = call();
  EXPECT_THROW(LateAnswer(upcall, "op"), CORBA::NO_IMPLEMENT);
}

TEST_F(LateAnswerTest, OfAOnewayIsNeverSent) {
  ServerCall upcall = call(false);
  {
    const LateAnswer dropped(upcall, "op");
  }
  LateAnswer answer(upcall, "op");
  EXPECT_FALSE(LateAnswer::Giving(answer).is_wanted());
  EXPECT_EQ(sender->begun, 0);
  EXPECT_TRUE(sender->sent.empty());
}

TEST_F(LateAnswerTest, IsNotWantedIfTheConnectionIsOverAlready) {
  sender->answer = LateSender::Begun::over;
  ServerCall upcall = call();
  LateAnswer answer(upcall, "op");
  EXPECT_FALSE(upcall.response_expected());
  EXPECT_FALSE(LateAnswer::Giving(answer).is_wanted());
}

// A thread that has given no answer has no buffer for one. How many allocations an answer needs is the
// compiler's choice, too; whichever fails, the peer gets one answer or the end.
TEST_F(LateAnswerTest, EndsTheConnectionIfThereIsNoMemoryForIt) {
  bool has_failed = true;
  for (int allocation = 0; has_failed; ++allocation) {
    ServerCall upcall = call();
    auto answer = std::make_unique<LateAnswer>(upcall, "op");
    sender->ended = 0;
    sender->sent.clear();
    std::thread([&] {
      const test::Here here;
      has_failed = test::fails_here(allocation, [&] { answer.reset(); });
    }).join();
    EXPECT_EQ(sender->ended + static_cast<int>(sender->sent.size()), 1) << "allocation " << allocation;
    if (allocation == 0) EXPECT_EQ(sender->ended, 1);
    if (!has_failed) EXPECT_TRUE(sender->has_sent("NO_RESPONSE"));
  }
}

TEST_F(LateAnswerTest, IsDroppedIfTheConnectionIsGone) {
  ServerCall upcall = call();
  LateAnswer answer(upcall, "op");
  sender.reset();
  EXPECT_FALSE(LateAnswer::Giving(answer).is_wanted());
  EXPECT_THROW(LateAnswer::Giving{answer}, CORBA::BAD_INV_ORDER);
}

}  // namespace
}  // namespace takt::server
