// Messages of a recording that is read while it is written.
#include "record/following.h"

#include <takt/base/secret_operation.h>

#include "../giop/messages.h"
#include "../recorder/recording.h"
#include "recorder/passing_messages.h"

namespace takt::command {
namespace {

using giop::test::MessageMaker;
using recorder::Direction;
using recorder::PassingMessages;

const SecretOperation secret("secret");

class FollowedRecording : public recorder::RecordingTest {
 protected:
  // As a connection does, long ago: messages that are newer than the question wait for the next one.
  void pass(const recorder::Octets& octets) { passing.pass(octets, ++time_ns); }
  std::vector<std::string> next(Following& following) {
    std::vector<std::string> found;
    for (const recorder::ReadMessage& message : following.next())
      found.push_back(std::to_string(message.octets.size()) + " of " + std::to_string(message.message_bytes));
    return found;
  }

  const MessageMaker maker{{1, 2}, cdr::native_order};
  std::shared_ptr<recorder::RecordingRing> ring = make();
  recorder::SecretMessages secrets;
  PassingMessages passing{*ring, 1, Direction::received, secrets};
  std::int64_t time_ns = 1;
};

TEST_F(FollowedRecording, GoesOnAfterSecretMessages) {
  Following following(path, Following::Begin::oldest);
  const auto open = maker.request(1, "open", "12345678"), hidden = maker.request(2, "secret", "12345678");
  for (const auto& octets : {open, hidden, open}) pass(octets);
  const std::string whole = std::to_string(open.size()) + " of " + std::to_string(open.size());
  const std::string head = std::to_string(hidden.size() - 8) + " of " + std::to_string(hidden.size());
  EXPECT_EQ(next(following), (std::vector<std::string>{whole, head, whole}));
}

TEST_F(FollowedRecording, GoesOnAfterMessagesWhoseEndIsMissing) {
  Following following(path, Following::Begin::oldest);
  recorder::RecordingRing::Run run;
  const auto message = recorder::message(50);
  auto cut = recorder::whole(message);
  cut.octets = cut.octets.first(20);
  ring->put(cut, run);
  EXPECT_TRUE(next(following).empty()) << "it may be under way";
  ring->put(recorder::whole(message, message.size()), run);
  EXPECT_TRUE(next(following).empty()) << "it may have been, when the blocks before were read";
  EXPECT_EQ(next(following), (std::vector<std::string>{"20 of 62", "62 of 62"}));
}

}  // namespace
}  // namespace takt::command
