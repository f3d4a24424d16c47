// Properties of the in-process transport: its names, and that it refuses other processes.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "os/net/unix_socket.h"
#include "os/shared_memory/machine_identity.h"
#include "transport/inproc/inproc_transport.h"
#include "transports.h"

namespace takt::transport {
namespace {

class InProcessTest : public TransportTest {
 protected:
  InProcessTest() : TransportTest(tested::in_process) {}
  // Runs `holds` in a child process and returns its result.
  template <class Holds>
  static bool elsewhere(Holds holds) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(holds() ? 0 : 1);
    int status = -1;
    return ::waitpid(child, &status, 0) == child && status == 0;
  }
};

TEST_F(InProcessTest, AnotherProcessFindsNobody) {
  const Endpoint here = acceptor_->local_endpoint();
  EXPECT_TRUE(elsewhere([&] {
    const auto stream = InprocTransport().connect(here, soon(), {});
    return !stream && stream.error().error == ECONNREFUSED;
  }));
}

// The child got the name from this process, so it reaches the socket.
TEST_F(InProcessTest, AProcessThatComesAllTheSameIsTurnedAway) {
  const std::string place = "@takt-" + os::process_identity() + '/' + acceptor_->local_endpoint().host;
  acceptor_->set_blocking(false);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  std::thread accepting([&] {
    char octet;
    EXPECT_EQ(::read(ready[0], &octet, 1), 1);
    EXPECT_EQ(acceptor_->accept().error(), AcceptError::would_block);
  });
  EXPECT_TRUE(elsewhere([&] {
    auto socket = os::connect_unix(*os::UnixAddress::parse(place), soon(), 0, 0);
    if (!socket || ::write(ready[1], "x", 1) != 1) return false;
    std::uint8_t octet;
    return socket->receive({&octet, 1}).status == IoStatus::end_of_stream;
  }));
  accepting.join();
  ::close(ready[0]);
  ::close(ready[1]);
  open_one();
  client_->write(octets_of("x"));
  EXPECT_EQ(read_text(*server_, 1), "x");
}

TEST_F(InProcessTest, BothEndsKnowThatTheOtherIsThisProcess) {
  open_one();
  for (const Stream* end : {client_.get(), server_.get()}) {
    ASSERT_TRUE(end->peer_process());
    EXPECT_EQ(end->peer_process()->process, ::getpid());
  }
}

TEST(InProcessEndpoints, AreRead) {
  const InprocTransport transport;
  for (const char* text : {"name", "//name"})
    EXPECT_EQ(transport.parse(text), (Endpoint{"inproc", "name", 0})) << text;
  EXPECT_EQ(transport.parse(""), (Endpoint{"inproc", "", 0}));
  EXPECT_FALSE(transport.parse("a/b"));
  EXPECT_TRUE(transport.parse(std::string(32, 'x')));
  EXPECT_FALSE(transport.parse(std::string(33, 'x')));
}

}  // namespace
}  // namespace takt::transport
