// Properties of acceptors.
#include <cerrno>
#include <thread>

#include "transport_suite.h"

namespace takt::transport {

class AcceptingTest : public EachTransport {};
INSTANTIATE_TEST_SUITE_P(Each, AcceptingTest, for_each_transport, transport_name);

TEST_P(AcceptingTest, WhatIsLeftOpenBecomesAnAddressOfItsOwn) {
  auto other = transport_->listen(tested_.any(), {});
  ASSERT_TRUE(other);
  const Endpoint first = acceptor_->local_endpoint(), second = (*other)->local_endpoint();
  EXPECT_NE(first, second);
  for (const Endpoint& endpoint : {first, second}) {
    EXPECT_EQ(endpoint.port != 0, transport_->profile_form().has_port);
    EXPECT_TRUE(transport_->is_definite(endpoint));
    EXPECT_EQ(transport_->published(endpoint), std::vector{endpoint});
  }
  EXPECT_EQ(first.protocol, tested_.any().protocol);
}

TEST_P(AcceptingTest, BesideAListenerThereIsRoomForAnother) {
  const auto beside = transport_->listen(transport_->beside(acceptor_->local_endpoint()), {});
  ASSERT_TRUE(beside) << beside.error().text;
  EXPECT_NE((*beside)->local_endpoint(), acceptor_->local_endpoint());
}

TEST_P(AcceptingTest, APortThatIsTakenSaysSo) {
  const Endpoint taken = acceptor_->local_endpoint();
  const auto second = transport_->listen(taken, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error, EADDRINUSE);
  EXPECT_NE(second.error().text.find(to_text(taken)), std::string::npos) << second.error().text;
  EXPECT_NE(second.error().text.find("(EADDRINUSE)"), std::string::npos) << second.error().text;
}

TEST_P(AcceptingTest, APortWithOldConnectionsCanBeListenedToAgain) {
  open_one();
  const Endpoint endpoint = acceptor_->local_endpoint();
  server_.reset();  // the server closes first, so its side of the connection is in TIME_WAIT
  client_.reset();
  acceptor_.reset();
  const auto again = transport_->listen(endpoint, {});
  EXPECT_TRUE(again) << again.error().text;
}

TEST_P(AcceptingTest, WithNobodyWaitingItSaysSo) {
  EXPECT_EQ(acceptor_->accept().error(), AcceptError::would_block);
}

TEST_P(AcceptingTest, ManyConnectionsAtATime) {
  constexpr int count = 200;
  std::vector<std::unique_ptr<Stream>> clients, servers;
  for (int i = 0; i < count; ++i) {
    auto client = connect(acceptor_->local_endpoint());
    ASSERT_TRUE(client) << client.error().text;
    clients.push_back(std::move(*client));
    servers.push_back(accept().value());
  }
  for (int i = 0; i < count; ++i) clients[i]->write(octets_of("number " + std::to_string(1000 + i)));
  for (int i = 0; i < count; ++i) EXPECT_EQ(read_text(*servers[i], 11), "number " + std::to_string(1000 + i));
}

TEST_P(AcceptingTest, ManyClientsAtATime) {
  constexpr int count = 32;
  std::vector<std::thread> clients;
  for (int i = 0; i < count; ++i)
    clients.emplace_back([&] {
      const auto stream = transport_->connect(acceptor_->local_endpoint(), soon(), {});
      ASSERT_TRUE(stream) << stream.error().text;
      (*stream)->write(octets_of("x"));
      EXPECT_EQ(read_text(**stream, 1), "x");
    });
  acceptor_->set_blocking(true);
  for (int i = 0; i < count; ++i) {
    const auto stream = acceptor_->accept();
    ASSERT_TRUE(stream);
    EXPECT_EQ(read_text(**stream, 1), "x");
    (*stream)->write(octets_of("x"));
  }
  for (std::thread& client : clients) client.join();
}

TEST_P(AcceptingTest, AClientThatIsGoneBeforeItIsAcceptedDoesNoHarm) {
  ASSERT_TRUE(connect(acceptor_->local_endpoint()));
  const auto gone = accept();
  EXPECT_TRUE(!gone || read_text(**gone, 1).empty());
}

TEST_P(AcceptingTest, CloseEndsABlockedAcceptAndRefusesClients) {
  acceptor_->set_blocking(true);
  AcceptError error{};
  std::thread accepting([&] { error = acceptor_->accept().error(); });
  acceptor_->close();
  accepting.join();
  EXPECT_EQ(error, AcceptError::closed);
  EXPECT_EQ(acceptor_->accept().error(), AcceptError::closed);
  acceptor_->close();
  const auto late = connect(acceptor_->local_endpoint());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error, ECONNREFUSED);
}

TEST_P(AcceptingTest, CloseTurnsThoseAwayWhoWait) {
  if (tested_.shakes_hands) GTEST_SKIP() << "whoever is connected has been accepted";
  const auto client = connect(acceptor_->local_endpoint());
  ASSERT_TRUE(client);
  acceptor_->close();
  EXPECT_EQ(read_text(**client, 1), "");
  EXPECT_EQ(acceptor_->accept().error(), AcceptError::closed);
}

}  // namespace takt::transport
