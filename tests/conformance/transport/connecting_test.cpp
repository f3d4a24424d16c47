// What a connector does with servers that are there, are not, or do not answer.
#include <cerrno>

#include "transports.h"

namespace takt::transport {

template <class T>
class ConnectingTest : public TransportTest<T> {
 protected:
  bool mentions(const ConnectError& error, const std::string& what) {
    return error.text.find(what) != std::string::npos;
  }
};
TYPED_TEST_SUITE(ConnectingTest, Transports, TransportName);

TYPED_TEST(ConnectingTest, ARefusedConnectionSaysWhereAndWhatToDo) {
  const Endpoint gone = this->acceptor_->local_endpoint();
  this->acceptor_.reset();
  const auto stream = this->connect(gone);
  ASSERT_FALSE(stream);
  const ConnectError& error = stream.error();
  EXPECT_EQ(error.phase, ConnectError::Phase::connect);
  const bool forgotten = TypeParam::forgets_gone_servers;
  EXPECT_EQ(error.error, forgotten ? ENOENT : ECONNREFUSED);
  for (const std::string& part : {to_text(gone), std::string(forgotten ? "(ENOENT)" : "(ECONNREFUSED)"),
                                  std::string("is the server running, and listening")})
    EXPECT_TRUE(this->mentions(error, part)) << error.text;
}

TYPED_TEST(ConnectingTest, AnAddressThatIsNoneIsAnErrorOfResolving) {
  const auto stream = this->connect(TypeParam::impossible());
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().phase, ConnectError::Phase::resolve);
}

// A listener whose backlog is full does not answer: as silent as a host that is down.
TYPED_TEST(ConnectingTest, AServerThatDoesNotAnswerIsGivenUpAtTheDeadline) {
  ListenOptions small;
  small.backlog = 1;
  auto silent = this->transport_.listen(TypeParam::any(), small);
  ASSERT_TRUE(silent);
  const Endpoint endpoint = (*silent)->local_endpoint();
  std::vector<std::unique_ptr<Stream>> waiting;
  for (int i = 0; i < 16; ++i) {
    const auto deadline = os::Clock::now() + 50ms;
    auto stream = this->connect(endpoint, deadline);
    if (stream) {
      waiting.push_back(std::move(*stream));
      continue;
    }
    EXPECT_EQ(stream.error().error, ETIMEDOUT);
    EXPECT_EQ(stream.error().phase, TypeParam::waits_in);
    if (TypeParam::waits_in == ConnectError::Phase::connect) {
      EXPECT_TRUE(this->mentions(stream.error(), "connection timed out (ETIMEDOUT)")) << stream.error().text;
    }
    EXPECT_GE(os::Clock::now(), deadline);
    return;
  }
  GTEST_SKIP() << "this system lets any number of connections wait";
}

TYPED_TEST(ConnectingTest, ADeadlineInThePastIsATimeoutOrAConnectionAtOnce) {
  const auto stream = this->connect(this->acceptor_->local_endpoint(), os::Clock::now() - 1h);
  EXPECT_TRUE(stream || stream.error().error == ETIMEDOUT);
}

TYPED_TEST(ConnectingTest, NoDeadlineIsFine) {
  EXPECT_TRUE(this->connect(this->acceptor_->local_endpoint(), os::no_deadline));
}

TYPED_TEST(ConnectingTest, StreamsStartBlockingAndWithTheOptionsSet) {
  this->open_one();
  ASSERT_TRUE(this->client_->set_timeouts(1ms, 1ms));
  ASSERT_TRUE(this->server_->set_timeouts(1ms, 1ms));
  std::uint8_t octet;
  EXPECT_EQ(this->client_->read({&octet, 1}).status, IoStatus::timed_out);
  EXPECT_EQ(this->server_->read({&octet, 1}).status, IoStatus::timed_out);
}

}  // namespace takt::transport
