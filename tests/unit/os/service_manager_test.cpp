#include "os/process/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

using namespace takt::os;
using namespace std::chrono_literals;

// A socket in the abstract namespace, as a service manager has.
class Manager {
 public:
  Manager() : name("@takt-test-" + std::to_string(::getpid())), socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    struct sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    address.sun_path[0] = '\0';
    const auto bytes = static_cast<socklen_t>(offsetof(struct sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(socket_, reinterpret_cast<struct sockaddr*>(&address), bytes), 0);
  }
  ~Manager() { ::close(socket_); }
  std::string heard() const {
    char octets[64];
    const auto count = ::recv(socket_, octets, sizeof octets, MSG_DONTWAIT);
    return count < 0 ? "nothing" : std::string(octets, static_cast<std::size_t>(count));
  }

  const std::string name;

 private:
  const int socket_;
};

class ServiceManagers : public testing::Test {
 protected:
  ~ServiceManagers() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  }
};

TEST_F(ServiceManagers, AreToldInOneDatagram) {
  const Manager manager;
  EXPECT_EQ(ServiceManager(manager.name, 0ns).tell("READY=1"), 0);
  EXPECT_EQ(manager.heard(), "READY=1");
}

TEST_F(ServiceManagers, ThatAreBusyAreWaitedFor) {
  const Manager manager;
  const ServiceManager told(manager.name, 0ns);
  while (told.tell("WATCHDOG=1") == 0) {
  }
  EXPECT_EQ(told.tell("WATCHDOG=1"), EAGAIN);
  EXPECT_EQ(told.tell("READY=1", 1ms), EAGAIN) << "it does not wait for ever";
  std::thread reading([&] {
    std::this_thread::sleep_for(5ms);
    while (manager.heard() == "WATCHDOG=1") {
    }
  });
  EXPECT_EQ(told.tell("READY=1", 10s), 0);
  reading.join();
}

TEST_F(ServiceManagers, ThatAreGoneAreAnError) {
  EXPECT_EQ(ServiceManager("/nowhere/notify", 0ns).tell("READY=1"), ENOENT);
  EXPECT_EQ(ServiceManager(std::string(200, 'x'), 0ns).tell("READY=1"), EINVAL);
}

TEST_F(ServiceManagers, AreThereIfTheEnvironmentSaysSo) {
  EXPECT_FALSE(ServiceManager::of_process().has_value());
  ::setenv("NOTIFY_SOCKET", "@anywhere", 1);
  EXPECT_EQ(ServiceManager::of_process().value().watchdog(), 0ns);
  ::setenv("WATCHDOG_USEC", "250000", 1);
  EXPECT_EQ(ServiceManager::of_process().value().watchdog(), 250ms);
}

TEST_F(ServiceManagers, WatchAnotherProcessOrNoneWhereTheNumbersAreWrong) {
  ::setenv("NOTIFY_SOCKET", "@anywhere", 1);
  ::setenv("WATCHDOG_USEC", "250000", 1);
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(ServiceManager::of_process().value().watchdog(), 0ns);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_EQ(ServiceManager::of_process().value().watchdog(), 250ms);
  for (const char* wrong : {"", "-5", "5s", "99999999999999999999", "9000000000000000000"}) {
    ::setenv("WATCHDOG_USEC", wrong, 1);
    EXPECT_EQ(ServiceManager::of_process().value().watchdog(), 0ns) << wrong;
  }
}

}  // namespace
