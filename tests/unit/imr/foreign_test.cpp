// Names and addresses of servers of TAO and JacORB.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "imr/process/local_listener.h"
#include "imr/service/foreign_servers.h"

namespace {

using takt::imr::is_listener_of;
using takt::imr::is_tao_key;
using takt::imr::name_in_jacorb_key;
using takt::imr::name_in_tao_key;
using takt::imr::name_of_foreign;

TEST(ForeignServers, RegisterByTheirNamesAndAdapters) {
  EXPECT_EQ(name_of_foreign("JACORB:bank/accounts"), "bank");
  EXPECT_EQ(name_of_foreign("JACORB:bank"), "bank");
  EXPECT_EQ(name_of_foreign("JACORB:"), "");
  EXPECT_EQ(name_of_foreign("accounts"), "accounts");
  EXPECT_EQ(name_of_foreign("bank:accounts"), "accounts");
  EXPECT_EQ(name_of_foreign(""), "");
}

TEST(ForeignServers, AreFoundInObjectKeys) {
  EXPECT_EQ(name_in_jacorb_key("bank/accounts/1"), "bank");
  EXPECT_EQ(name_in_jacorb_key("bank"), "");
  EXPECT_EQ(name_in_jacorb_key("/bank"), "");
  EXPECT_EQ(name_in_jacorb_key(""), "");
  const std::string tao("\x14\x01\x0f\x00NUP", 7);
  EXPECT_TRUE(is_tao_key(tao));
  EXPECT_FALSE(is_tao_key("bank/accounts/1"));
  EXPECT_FALSE(is_tao_key(tao + std::string(2000, 'a'))) << "a search in it would take long";
  const std::vector<std::string> names{"bank", "bank2", "accounts"};
  EXPECT_EQ(name_in_tao_key(tao + "accounts" + '\0' + "1", names), "accounts");
  EXPECT_EQ(name_in_tao_key(tao + "bank2", names), "bank2") << "the longest";
  EXPECT_EQ(name_in_tao_key(tao, names), std::nullopt);
}

class Listener {
 public:
  explicit Listener(const char* host, int family = AF_INET) : socket_(socket(family, SOCK_STREAM, 0)) {
    sockaddr_storage address{};
    address.ss_family = static_cast<sa_family_t>(family);
    void* const place = family == AF_INET
                            ? static_cast<void*>(&reinterpret_cast<sockaddr_in&>(address).sin_addr)
                            : static_cast<void*>(&reinterpret_cast<sockaddr_in6&>(address).sin6_addr);
    inet_pton(family, host, place);
    socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    works = bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(socket_, 1) == 0 &&
            getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    port = ':' + std::to_string(ntohs(reinterpret_cast<sockaddr_in&>(address).sin_port));
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { close(socket_); }

  bool works = false;
  std::string port;  // ":80"

 private:
  const int socket_;
};

TEST(LocalListener, IsOfItsUser) {
  const Listener one("127.0.0.1");
  ASSERT_TRUE(one.works);
  EXPECT_TRUE(is_listener_of("127.0.0.1" + one.port, geteuid()));
  EXPECT_TRUE(is_listener_of("localhost" + one.port, geteuid()));
  EXPECT_EQ(is_listener_of("127.0.0.1" + one.port, geteuid() + 1), geteuid() == 0)
      << "the superuser's are all right";
  EXPECT_FALSE(is_listener_of("127.0.0.2" + one.port, geteuid()));
  EXPECT_FALSE(is_listener_of("192.0.2.1" + one.port, geteuid()));
}

TEST(LocalListener, AtAllAddressesIsOneOfEachOfThisMachine) {
  const Listener all("0.0.0.0");
  ASSERT_TRUE(all.works);
  EXPECT_TRUE(is_listener_of("127.0.0.1" + all.port, geteuid()));
  EXPECT_FALSE(is_listener_of("192.0.2.1" + all.port, geteuid())) << "this is another machine's";
}

TEST(LocalListener, AtAnAddressOfIpv6) {
  const Listener one("::1", AF_INET6);
  if (!one.works) GTEST_SKIP() << "no IPv6";
  EXPECT_TRUE(is_listener_of("[::1]" + one.port, geteuid()));
  EXPECT_FALSE(is_listener_of("127.0.0.1" + one.port, geteuid()));
  const Listener all("::", AF_INET6);
  ASSERT_TRUE(all.works);
  EXPECT_TRUE(is_listener_of("127.0.0.1" + all.port, geteuid()));
}

TEST(LocalListener, IsNotInATextThatIsNoAddress) {
  for (const char* const text : {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999",
                                 "127.0.0.1:80x", "[]:80", "[::1:80", "elsewhere.invalid:80", "127.0.0.1:-1"})
    EXPECT_FALSE(is_listener_of(text, geteuid())) << text;
}

}  // namespace
