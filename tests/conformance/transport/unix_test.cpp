// Properties of UNIX-domain sockets: files, their permissions, and the peer's identity.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "interrupted.h"
#include "os/net/unix_socket.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/uds/uds_transport.h"
#include "transports.h"

namespace takt::transport {
namespace {

class UnixTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/takt-unix-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Endpoint in_folder(const std::string& name) const { return {"unix", folder_ + "/" + name, 0}; }

  std::string folder_;
  UdsTransport transport_;
};

bool exists(const Endpoint& endpoint) {
  struct stat file{};
  return ::lstat(endpoint.host.c_str(), &file) == 0;
}

mode_t mode_of(const Endpoint& endpoint) {
  struct stat file{};
  EXPECT_EQ(::lstat(endpoint.host.c_str(), &file), 0);
  return file.st_mode & 07777;
}

int option(const Stream& stream, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(stream.native_handle(), SOL_SOCKET, name, &value, &size), 0);
  return value;
}

}  // namespace

TEST_F(UnixTest, AWaitForRoomInTheQueueCanBeInterrupted) {
  ListenOptions small;
  small.backlog = 1;
  const auto acceptor = transport_.listen(in_folder("server"), small);
  ASSERT_TRUE(acceptor) << acceptor.error().text;
  std::vector<std::unique_ptr<Stream>> waiting;
  for (int i = 0; i < 2; ++i) waiting.push_back(transport_.connect(in_folder("server"), soon(), {}).value());
  expect_interruptible(transport_, in_folder("server"));
}

TEST_F(UnixTest, TheFileGoesWithTheAcceptor) {
  const Endpoint endpoint = in_folder("server");
  auto acceptor = transport_.listen(endpoint, {});
  ASSERT_TRUE(acceptor) << acceptor.error().text;
  EXPECT_TRUE(exists(endpoint));
  acceptor->reset();
  EXPECT_FALSE(exists(endpoint));
}

TEST_F(UnixTest, TheFileHasThePermissionsAskedFor) {
  const auto usual = transport_.listen(in_folder("usual"), {}).value();
  EXPECT_EQ(mode_of(usual->local_endpoint()), 0600u);
  ListenOptions options;
  options.file_mode = 0660;
  const auto group = transport_.listen(in_folder("group"), options).value();
  EXPECT_EQ(mode_of(group->local_endpoint()), 0660u);
}

// As after kill -9.
TEST_F(UnixTest, AFileThatADeadServerLeftIsTakenOver) {
  const Endpoint endpoint = in_folder("server");
  const pid_t server = ::fork();
  if (server == 0) {
    const auto acceptor = UdsTransport().listen(endpoint, {});
    ::_exit(acceptor ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(server, &status, 0), server);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(exists(endpoint));
  const auto stream = transport_.connect(endpoint, soon(), {});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().error, ECONNREFUSED);
  const auto acceptor = transport_.listen(endpoint, {});
  ASSERT_TRUE(acceptor) << acceptor.error().text;
  EXPECT_TRUE(transport_.connect(endpoint, soon(), {}));
}

TEST_F(UnixTest, AServerThatIsAliveKeepsItsName) {
  const auto acceptor = transport_.listen(in_folder("server"), {}).value();
  const auto second = transport_.listen(in_folder("server"), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error, EADDRINUSE);
  EXPECT_TRUE(transport_.connect(in_folder("server"), soon(), {}));
}

TEST_F(UnixTest, OfManyServersAtOnceOneGetsAStaleName) {
  for (int round = 0; round < 20; ++round) {
    const Endpoint endpoint = in_folder("server");
    {
      const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
      const auto address = os::UnixAddress::parse(endpoint.host).value();
      ASSERT_EQ(::bind(fd, address.data(), address.size()), 0);
      ::close(fd);
    }
    std::vector<std::thread> threads;
    std::atomic<int> winners{0};
    std::mutex mutex;
    std::vector<std::unique_ptr<Acceptor>> kept;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        auto acceptor = UdsTransport().listen(endpoint, {});
        if (!acceptor) return;
        ++winners;
        const std::lock_guard lock(mutex);
        kept.push_back(std::move(*acceptor));
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
    EXPECT_TRUE(transport_.connect(endpoint, soon(), {}));
  }
}

TEST_F(UnixTest, AFileThatIsNoSocketIsLeftAlone) {
  const Endpoint endpoint = in_folder("letter");
  std::ofstream(endpoint.host) << "dear reader";
  const auto acceptor = transport_.listen(endpoint, {});
  ASSERT_FALSE(acceptor);
  EXPECT_EQ(acceptor.error().error, EEXIST);
  EXPECT_NE(acceptor.error().text.find("not a socket"), std::string::npos) << acceptor.error().text;
  EXPECT_EQ(std::filesystem::file_size(endpoint.host), 11u);
}

TEST_F(UnixTest, AFileOfAnotherServerIsNotRemoved) {
  const Endpoint endpoint = in_folder("server");
  auto first = transport_.listen(endpoint, {}).value();
  std::filesystem::remove(endpoint.host);
  const auto second = transport_.listen(endpoint, {}).value();
  first.reset();
  EXPECT_TRUE(exists(endpoint));
  EXPECT_TRUE(transport_.connect(endpoint, soon(), {}));
}

TEST_F(UnixTest, AFolderThatIsMissingSaysSo) {
  const auto acceptor = transport_.listen(in_folder("nowhere/server"), {});
  ASSERT_FALSE(acceptor);
  EXPECT_EQ(acceptor.error().error, ENOENT);
  EXPECT_NE(acceptor.error().text.find("make the folder first"), std::string::npos) << acceptor.error().text;
}

TEST_F(UnixTest, AnAbstractNameLeavesNoFile) {
  const Endpoint endpoint{"unix", "@" + folder_, 0};
  const auto acceptor = transport_.listen(endpoint, {});
  ASSERT_TRUE(acceptor) << acceptor.error().text;
  EXPECT_EQ((*acceptor)->local_endpoint(), endpoint);
  EXPECT_FALSE(exists({"unix", folder_ + "/" + endpoint.host, 0}));
  EXPECT_TRUE(transport_.connect(endpoint, soon(), {}));
}

TEST_F(UnixTest, BothSidesKnowTheProcessAtTheOtherEnd) {
  const auto acceptor = transport_.listen(in_folder("server"), {}).value();
  acceptor->set_blocking(true);
  const pid_t client = ::fork();
  if (client == 0) {
    const auto stream = UdsTransport().connect(in_folder("server"), soon(), {});
    if (!stream) ::_exit(1);
    std::uint8_t octet = 0;
    (*stream)->read({&octet, 1});
    const auto peer = (*stream)->peer_process();
    ::_exit(peer && peer->process == ::getppid() && peer->user == ::geteuid() ? 0 : 2);
  }
  const auto server = acceptor->accept().value();
  const auto peer = server->peer_process();
  ASSERT_TRUE(peer);
  EXPECT_EQ(*peer, (os::ProcessIdentity{client, ::geteuid(), ::getegid()}));
  server->write(octets_of("x"));
  int status = -1;
  ASSERT_EQ(::waitpid(client, &status, 0), client);
  EXPECT_EQ(status, 0);
}

TEST_F(UnixTest, SetsItsBuffersOnBothSides) {
  ListenOptions options;
  options.stream.receive_buffer_bytes = 48 * 1024;
  options.stream.send_buffer_bytes = 40 * 1024;
  const auto acceptor = transport_.listen(in_folder("server"), options).value();
  acceptor->set_blocking(true);
  const auto client = transport_.connect(in_folder("server"), soon(), options.stream).value();
  const auto server = acceptor->accept().value();
  for (const Stream* stream : {client.get(), server.get()}) {
    EXPECT_EQ(option(*stream, SO_RCVBUF), 2 * 48 * 1024);
    EXPECT_EQ(option(*stream, SO_SNDBUF), 2 * 40 * 1024);
  }
}

TEST(UnixEndpoints, AreRead) {
  const UdsTransport transport;
  for (const char* text : {"/run/x", "///run/x"})
    EXPECT_EQ(transport.parse(text), (Endpoint{"unix", "/run/x", 0})) << text;
  EXPECT_EQ(transport.parse("@name"), (Endpoint{"unix", "@name", 0}));
  EXPECT_EQ(transport.parse(""), (Endpoint{"unix", "", 0}));
  EXPECT_FALSE(transport.parse("relative"));
  EXPECT_FALSE(transport.parse("@"));
  EXPECT_TRUE(transport.parse("/" + std::string(106, 'x')));
  EXPECT_FALSE(transport.parse("/" + std::string(107, 'x')));
  EXPECT_EQ(to_text({"unix", "/run/x", 0}), "unix /run/x");
}

TEST(TransportRegistry, FindsByNameAndProfileAndTakesEachOnce) {
  TransportRegistry transports;
  EXPECT_TRUE(transports.add(std::make_unique<TcpTransport>()));
  EXPECT_TRUE(transports.add(std::make_unique<UdsTransport>()));
  EXPECT_FALSE(transports.add(std::make_unique<TcpTransport>()));
  EXPECT_EQ(transports.find("unix"), transports.find_by_profile(uds_profile));
  EXPECT_EQ(transports.find("iiop"), transports.find_by_profile(0));
  EXPECT_EQ(transports.find("smoke"), nullptr);
  ASSERT_EQ(transports.all().size(), 2u);
  EXPECT_EQ(transports.all().back()->name(), "unix");
}

}  // namespace takt::transport
