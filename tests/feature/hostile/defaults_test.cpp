// The limits of unknown peers with default options, at servers and at clients.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hostile_fixture.h"
#include "own_address.h"

namespace feature {
namespace {

// Whether a server listens at ::1 on the port.
bool connects_by_ipv6(std::uint16_t port) {
  const int fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = htons(port);
  const bool connected =
      fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

bool has_ipv6() {
  const int fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  const bool has = fd >= 0 && ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return has;
}

std::uint16_t port_of(const std::string& endpoint) {
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

class ListeningByDefault : public testing::Test {
 protected:
  ~ListeningByDefault() override { server->destroy(); }
  const Orb server = make_orb({}, "default");
};

TEST_F(ListeningByDefault, OnlyItsOwnMachineReachesTheServer) {
  server->resolve_initial_references("RootPOA");
  const auto published = server->_published_endpoints();
  ASSERT_EQ(published.size(), 1u);
  EXPECT_TRUE(published.front().starts_with("iiop 127.0.0.1:")) << published.front();
  const std::uint16_t port = port_of(published.front());
  EXPECT_NO_THROW(RawPeer local(port));
  EXPECT_EQ(connects_by_ipv6(port), has_ipv6());
  if (const std::uint32_t own = own_address()) {
    EXPECT_THROW(RawPeer(port, own), std::runtime_error);
  }
}

TEST(Listening, AWildcardThatIsAskedForIsOne) {
  const Orb server = make_orb({"-ORBListenEndpoints", "iiop://:0"}, "wildcard");
  server->resolve_initial_references("RootPOA");
  const std::uint16_t port = port_of(server->_published_endpoints().front());
  EXPECT_NO_THROW(RawPeer local(port));
  if (const std::uint32_t own = own_address()) {
    EXPECT_NO_THROW(RawPeer(port, own));
  }
  server->destroy();
}

TEST(Listening, LanesFollow) {
  const Orb server = make_orb({"-ORBLanes", "0=1,10=1", "-ORBSchedulingClass", "other"}, "lanes");
  server->resolve_initial_references("RootPOA");
  for (const std::string& endpoint : server->_published_endpoints())
    EXPECT_TRUE(endpoint.starts_with("iiop 127.0.0.1:")) << endpoint;
  server->destroy();
}

TEST(MinGiopVersion, AClientCallsByNoLowerOne) {
  const ServerAndClient orbs({}, {"-ORBMinGIOPVersion", "1.2"});
  EXPECT_EQ(orbs.echo->cube(2), 8) << "the reference's own is 1.2";
  orbs.server->register_object_key("Echo", orbs.server->string_to_object(orbs.ior));
  const std::string address = "127.0.0.1:" + std::to_string(Place(orbs.ior).port) + "/Echo";
  const auto called = [&](const std::string& url) {
    try {
      return std::to_string(
          IDL::traits<Calls::Echo>::unchecked_narrow(orbs.client->string_to_object(url))->cube(2));
    } catch (const CORBA::TRANSIENT& refusal) {
      return std::string(refusal.what());
    }
  };
  EXPECT_EQ(called("corbaloc:iiop:1.2@" + address), "8");
  const std::string refused = called("corbaloc::" + address);
  EXPECT_NE(refused.find("versions below 1.2, the lowest that -ORBMinGIOPVersion allows"), std::string::npos)
      << refused;
}

}  // namespace
}  // namespace feature
