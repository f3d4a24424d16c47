// Running out of descriptors. UBSan needs some itself, to look at an object of a class that it has not seen
// where that is used: so clients are looked at, and a first one connects, while there are some.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "transports.h"

namespace takt::transport {
namespace {

// While it lives, this process has no descriptor left.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{128, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(fd);
  }
  ~NoDescriptors() {
    for (const int fd : taken_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace

template <class T>
class ExhaustionTest : public TransportTest<T> {};
TYPED_TEST_SUITE(ExhaustionTest, Transports, TransportName);

TYPED_TEST(ExhaustionTest, EachWaitingClientIsTurnedAwayOnceAndTheAcceptorRecovers) {
  if (TypeParam::shakes_hands) GTEST_SKIP() << "whoever is connected has been accepted";
  std::vector<std::unique_ptr<Stream>> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(this->connect(this->acceptor_->local_endpoint()).value());
  {
    NoDescriptors left;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const auto accepted = this->acceptor_->accept();
      ASSERT_FALSE(accepted);
      EXPECT_EQ(accepted.error(), AcceptError::exhausted);
    }
    EXPECT_EQ(this->acceptor_->accept().error(), AcceptError::would_block)
        << "an acceptor that stays ready spins";
  }
  for (const auto& client : clients) EXPECT_EQ(read_text(*client, 1), "");
  this->open_one();
  this->client_->write(octets_of("x"));
  EXPECT_EQ(read_text(*this->server_, 1), "x");
}

TYPED_TEST(ExhaustionTest, AConnectorSaysWhatRanOut) {
  const Endpoint endpoint = this->acceptor_->local_endpoint();
  ASSERT_TRUE(this->connect(endpoint));
  std::optional<ConnectError> error;
  {
    NoDescriptors left;
    const auto stream = this->connect(endpoint);
    if (!stream) error = stream.error();
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error, EMFILE);
  EXPECT_NE(error->text.find("ulimit -n"), std::string::npos) << error->text;
}

TYPED_TEST(ExhaustionTest, ListeningSaysWhatRanOut) {
  std::optional<ListenError> error;
  {
    NoDescriptors left;
    const auto listening = this->transport_.listen(TypeParam::any(), {});
    if (!listening) error = listening.error();
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error, EMFILE);
}

}  // namespace takt::transport
