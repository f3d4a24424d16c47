// What an acceptor does.
#include <cerrno>
#include <thread>

#include "transports.h"

namespace takt::transport {

template <class T>
class AcceptingTest : public TransportTest<T> {};
TYPED_TEST_SUITE(AcceptingTest, Transports, TransportName);

TYPED_TEST(AcceptingTest, WhatIsLeftOpenBecomesAnAddressOfItsOwn) {
  auto other = this->transport_.listen(TypeParam::any(), {});
  ASSERT_TRUE(other);
  const Endpoint first = this->acceptor_->local_endpoint(), second = (*other)->local_endpoint();
  EXPECT_NE(first, second);
  for (const Endpoint& endpoint : {first, second}) {
    EXPECT_EQ(endpoint.port != 0, this->transport_.profile_form().has_port);
    EXPECT_TRUE(this->transport_.is_definite(endpoint));
    EXPECT_EQ(this->transport_.published(endpoint), std::vector{endpoint});
  }
  EXPECT_EQ(first.protocol, TypeParam::any().protocol);
}

TYPED_TEST(AcceptingTest, BesideAListenerThereIsRoomForAnother) {
  const auto beside = this->transport_.listen(this->transport_.beside(this->acceptor_->local_endpoint()), {});
  ASSERT_TRUE(beside) << beside.error().text;
  EXPECT_NE((*beside)->local_endpoint(), this->acceptor_->local_endpoint());
}

TYPED_TEST(AcceptingTest, APortThatIsTakenSaysSo) {
  const Endpoint taken = this->acceptor_->local_endpoint();
  const auto second = this->transport_.listen(taken, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error, EADDRINUSE);
  EXPECT_NE(second.error().text.find(to_text(taken)), std::string::npos) << second.error().text;
  EXPECT_NE(second.error().text.find("(EADDRINUSE)"), std::string::npos) << second.error().text;
}

TYPED_TEST(AcceptingTest, APortWithOldConnectionsCanBeListenedToAgain) {
  this->open_one();
  const Endpoint endpoint = this->acceptor_->local_endpoint();
  this->server_.reset();  // the server closes first, and keeps the connection in TIME_WAIT
  this->client_.reset();
  this->acceptor_.reset();
  const auto again = this->transport_.listen(endpoint, {});
  EXPECT_TRUE(again) << again.error().text;
}

TYPED_TEST(AcceptingTest, WithNobodyWaitingItSaysSo) {
  EXPECT_EQ(this->acceptor_->accept().error(), AcceptError::would_block);
}

TYPED_TEST(AcceptingTest, ManyConnectionsAtATime) {
  constexpr int count = 200;
  std::vector<std::unique_ptr<Stream>> clients, servers;
  for (int i = 0; i < count; ++i) {
    auto client = this->connect(this->acceptor_->local_endpoint());
    ASSERT_TRUE(client) << client.error().text;
    clients.push_back(std::move(*client));
    servers.push_back(this->accept().value());
  }
  for (int i = 0; i < count; ++i) clients[i]->write(octets_of("number " + std::to_string(1000 + i)));
  for (int i = 0; i < count; ++i) EXPECT_EQ(read_text(*servers[i], 11), "number " + std::to_string(1000 + i));
}

TYPED_TEST(AcceptingTest, ManyClientsAtATime) {
  constexpr int count = 32;
  std::vector<std::thread> clients;
  for (int i = 0; i < count; ++i)
    clients.emplace_back([&] {
      const auto stream = this->transport_.connect(this->acceptor_->local_endpoint(), soon(), {});
      ASSERT_TRUE(stream) << stream.error().text;
      (*stream)->write(octets_of("x"));
      EXPECT_EQ(read_text(**stream, 1), "x");
    });
  this->acceptor_->set_blocking(true);
  for (int i = 0; i < count; ++i) {
    const auto stream = this->acceptor_->accept();
    ASSERT_TRUE(stream);
    EXPECT_EQ(read_text(**stream, 1), "x");
    (*stream)->write(octets_of("x"));
  }
  for (std::thread& client : clients) client.join();
}

TYPED_TEST(AcceptingTest, AClientThatIsGoneBeforeItIsAcceptedDoesNoHarm) {
  ASSERT_TRUE(this->connect(this->acceptor_->local_endpoint()));
  const auto gone = this->accept();
  EXPECT_TRUE(!gone || read_text(**gone, 1).empty());
}

TYPED_TEST(AcceptingTest, CloseEndsABlockedAcceptAndRefusesClients) {
  this->acceptor_->set_blocking(true);
  AcceptError error{};
  std::thread accepting([&] { error = this->acceptor_->accept().error(); });
  this->acceptor_->close();
  accepting.join();
  EXPECT_EQ(error, AcceptError::closed);
  EXPECT_EQ(this->acceptor_->accept().error(), AcceptError::closed);
  this->acceptor_->close();
  const auto late = this->connect(this->acceptor_->local_endpoint());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error, ECONNREFUSED);
}

TYPED_TEST(AcceptingTest, CloseTurnsThoseAwayWhoWait) {
  if (TypeParam::shakes_hands) GTEST_SKIP() << "whoever is connected has been accepted";
  const auto client = this->connect(this->acceptor_->local_endpoint());
  ASSERT_TRUE(client);
  this->acceptor_->close();
  EXPECT_EQ(read_text(**client, 1), "");
  EXPECT_EQ(this->acceptor_->accept().error(), AcceptError::closed);
}

}  // namespace takt::transport
