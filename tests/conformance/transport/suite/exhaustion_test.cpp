// Running out of descriptors. When UBSan first sees an object of a class, it needs a descriptor itself, so
// clients are used and a first one connects before descriptors run out.
#include <cerrno>
#include <optional>

#include "no_descriptors.h"
#include "transport_suite.h"

namespace takt::transport {

using test::NoDescriptors;

class ExhaustionTest : public EachTransport {};
INSTANTIATE_TEST_SUITE_P(Each, ExhaustionTest, for_each_transport, transport_name);

TEST_P(ExhaustionTest, EachWaitingClientIsTurnedAwayOnceAndTheAcceptorRecovers) {
  if (tested_.shakes_hands) GTEST_SKIP() << "whoever is connected has been accepted";
  std::vector<std::unique_ptr<Stream>> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(connect(acceptor_->local_endpoint()).value());
  {
    NoDescriptors left;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const auto accepted = acceptor_->accept();
      ASSERT_FALSE(accepted);
      EXPECT_EQ(accepted.error(), AcceptError::exhausted);
    }
    EXPECT_EQ(acceptor_->accept().error(), AcceptError::would_block) << "an acceptor that stays ready spins";
  }
  for (const auto& client : clients) EXPECT_EQ(read_text(*client, 1), "");
  open_one();
  client_->write(octets_of("x"));
  EXPECT_EQ(read_text(*server_, 1), "x");
}

TEST_P(ExhaustionTest, AConnectorSaysWhatRanOut) {
  const Endpoint endpoint = acceptor_->local_endpoint();
  ASSERT_TRUE(connect(endpoint));
  std::optional<ConnectError> error;
  {
    NoDescriptors left;
    const auto stream = connect(endpoint);
    if (!stream) error = stream.error();
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error, EMFILE);
  EXPECT_NE(error->text.find("ulimit -n"), std::string::npos) << error->text;
  EXPECT_EQ(error->text.find("this machine's own"), std::string::npos) << error->text;
}

TEST_P(ExhaustionTest, ListeningSaysWhatRanOut) {
  std::optional<ListenError> error;
  {
    NoDescriptors left;
    const auto listening = transport_->listen(tested_.any(), {});
    if (!listening) error = listening.error();
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error, EMFILE);
}

}  // namespace takt::transport
