// Connecting to servers that exist, that do not, and that do not answer.
#include <cerrno>

#include "transport_suite.h"

namespace takt::transport {

class ConnectingTest : public EachTransport {
 protected:
  bool mentions(const ConnectError& error, const std::string& what) {
    return error.text.find(what) != std::string::npos;
  }
};
INSTANTIATE_TEST_SUITE_P(Each, ConnectingTest, for_each_transport, transport_name);

TEST_P(ConnectingTest, ARefusedConnectionSaysWhereAndWhatToDo) {
  const Endpoint gone = acceptor_->local_endpoint();
  acceptor_.reset();
  const auto stream = connect(gone);
  ASSERT_FALSE(stream);
  const ConnectError& error = stream.error();
  EXPECT_EQ(error.phase, ConnectError::Phase::connect);
  const bool forgotten = tested_.forgets_gone_servers;
  EXPECT_EQ(error.error, forgotten ? ENOENT : ECONNREFUSED);
  for (const std::string& part : {to_text(gone), std::string(forgotten ? "(ENOENT)" : "(ECONNREFUSED)"),
                                  std::string("is the server running, and listening")})
    EXPECT_TRUE(mentions(error, part)) << error.text;
}

TEST_P(ConnectingTest, AnAddressThatIsNoneIsAnErrorOfResolving) {
  const auto stream = connect(tested_.impossible());
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().phase, ConnectError::Phase::resolve);
}

// A listener with a full backlog does not answer, like a host that is down.
TEST_P(ConnectingTest, AServerThatDoesNotAnswerIsGivenUpAtTheDeadline) {
  ListenOptions small;
  small.backlog = 1;
  auto silent = transport_->listen(tested_.any(), small);
  ASSERT_TRUE(silent);
  const Endpoint endpoint = (*silent)->local_endpoint();
  std::vector<std::unique_ptr<Stream>> waiting;
  for (int i = 0; i < 16; ++i) {
    const auto deadline = os::Clock::now() + 50ms;
    auto stream = connect(endpoint, deadline);
    if (stream) {
      waiting.push_back(std::move(*stream));
      continue;
    }
    EXPECT_EQ(stream.error().error, ETIMEDOUT);
    EXPECT_EQ(stream.error().phase, tested_.waits_in);
    if (tested_.waits_in == ConnectError::Phase::connect) {
      EXPECT_TRUE(mentions(stream.error(), "connection timed out (ETIMEDOUT)")) << stream.error().text;
    }
    EXPECT_GE(os::Clock::now(), deadline);
    return;
  }
  GTEST_SKIP() << "this system lets any number of connections wait";
}

TEST_P(ConnectingTest, ADeadlineInThePastIsATimeoutOrAConnectionAtOnce) {
  const auto stream = connect(acceptor_->local_endpoint(), os::Clock::now() - 1h);
  EXPECT_TRUE(stream || stream.error().error == ETIMEDOUT);
}

TEST_P(ConnectingTest, NoDeadlineIsFine) {
  EXPECT_TRUE(connect(acceptor_->local_endpoint(), os::no_deadline));
}

TEST_P(ConnectingTest, StreamsStartBlockingAndWithTheOptionsSet) {
  open_one();
  ASSERT_TRUE(client_->set_timeouts(1ms, 1ms));
  ASSERT_TRUE(server_->set_timeouts(1ms, 1ms));
  std::uint8_t octet;
  EXPECT_EQ(client_->read({&octet, 1}).status, IoStatus::timed_out);
  EXPECT_EQ(server_->read({&octet, 1}).status, IoStatus::timed_out);
}

}  // namespace takt::transport
