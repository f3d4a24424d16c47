// Error messages when a connection cannot be made.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "transport/miop/group_receiver.h"
#include "transport/miop/group_sender.h"
#include "transport/uds/unix_names.h"

namespace takt::transport {
namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(UnixRefusals, EachReasonHasItsAdvice) {
  const Endpoint to{"uiop", "/run/there", 0};
  const std::pair<int, const char*> advice[] = {{ECONNREFUSED, "is the server running"},
                                                {ENOENT, "is the server running"},
                                                {ETIMEDOUT, "stopped, or busy"},
                                                {EACCES, "-ORBUnixPermissions"},
                                                {EPERM, "-ORBUnixPermissions"},
                                                {EMFILE, "ulimit -n"},
                                                {ENFILE, "ulimit -n"},
                                                {EINVAL, "check the path in the object reference"}};
  for (const auto& [error, text] : advice) {
    const ConnectError refused = unix_names::refusal(to, error);
    EXPECT_EQ(refused.error, error);
    EXPECT_TRUE(says(refused.text, text)) << refused.text;
    EXPECT_TRUE(says(refused.text, "/run/there")) << refused.text;
  }
}

TEST(UnixRefusals, AListenerSaysWhatIsInItsWay) {
  const std::string folder =
      std::filesystem::temp_directory_path() / ("takt-names-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/file") << "no socket";
  const auto refused = [](const std::string& path) {
    const auto listener = unix_names::listen({"uiop", path, 0}, {});
    return listener ? std::string() : listener.error().text;
  };
  EXPECT_TRUE(says(refused(folder + "/file"), "a file that is not a socket is there"));
  EXPECT_TRUE(says(refused(folder + "/none/socket"), "make the folder first"));
  EXPECT_TRUE(says(refused(folder + "/file/socket"), "make the folder first"));
  EXPECT_TRUE(says(refused("/" + std::string(200, 'a')), "a path or @name has 1 to"));
  const auto first = unix_names::listen({"uiop", folder + "/socket", 0}, {});
  ASSERT_TRUE(first);
  EXPECT_TRUE(says(refused(folder + "/socket"), "another process listens there already"));
  std::filesystem::remove_all(folder);
}

TEST(UnixRefusals, APathThatIsTooLongIsNotConnectedTo) {
  const auto socket = unix_names::connect({"uiop", "/" + std::string(200, 'a'), 0}, os::no_deadline, 0, 0);
  ASSERT_FALSE(socket);
  EXPECT_EQ(socket.error().phase, ConnectError::Phase::resolve);
  EXPECT_TRUE(says(socket.error().text, "a path or @name has 1 to"));
}

TEST(GroupRefusals, AnAddressThatIsNoGroupsIsNeitherJoinedNorSentTo) {
  for (const char* host : {"127.0.0.1", "::1", "group.example"}) {
    const Endpoint at{"miop", host, 4711};
    const auto receiver = miop::GroupReceiver::open(at, {}, {});
    ASSERT_FALSE(receiver);
    EXPECT_TRUE(says(receiver.error().text, "cannot join the group")) << receiver.error().text;
    EXPECT_TRUE(says(receiver.error().text, "224.0.0.0")) << receiver.error().text;
    const auto sender = miop::GroupSender::open(at, {}, {});
    ASSERT_FALSE(sender);
    EXPECT_EQ(sender.error().error, EINVAL);
    EXPECT_TRUE(says(sender.error().text, "cannot send to the group")) << sender.error().text;
  }
}

TEST(GroupRefusals, ANetworkThatTheMachineLacksIsNamed) {
  miop::GroupOptions options;
  options.interface = "takt-lacks-it";
  const Endpoint at{"miop", "239.255.0.7", 4711};
  const auto receiver = miop::GroupReceiver::open(at, options, {});
  ASSERT_FALSE(receiver);
  EXPECT_TRUE(says(receiver.error().text, "-ORBMulticastInterface is not an interface of this machine"));
  const auto sender = miop::GroupSender::open(at, options, {});
  ASSERT_FALSE(sender);
  EXPECT_TRUE(says(sender.error().text, "-ORBMulticastInterface is not an interface of this machine"));
}

}  // namespace
}  // namespace takt::transport
