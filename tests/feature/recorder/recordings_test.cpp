// A recording has the messages that pass on an ORB's connections.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include <takt/reference/messaging.h>

#include "certificates.h"
#include "recorded.h"

namespace feature::recordings {
namespace {

class Recordings : public testing::TestWithParam<const char*> {};

// Each end has recorded the same messages, whole and in order.
void check_both_ends(const Recorded& orbs) {
  for (std::uint8_t x = 0; x < 20; ++x) EXPECT_EQ(orbs.echo->cube(x), static_cast<std::uint8_t>(x * x * x));
  const Calls::Octets many(50'000, 7);
  EXPECT_EQ(orbs.echo->echo_octets(many), many);
  orbs.echo->note(3);
  EXPECT_THROW(orbs.echo->refuse("no"), Calls::Refused);
  const Recording client = orbs.of_client(), server = orbs.of_server();
  EXPECT_EQ(client.torn + client.left_out + server.torn + server.left_out, 0u);
  const auto requests = octets_of(client, Direction::sent), replies = octets_of(client, Direction::received);
  EXPECT_EQ(requests, octets_of(server, Direction::received));
  EXPECT_EQ(replies, octets_of(server, Direction::sent));
  EXPECT_GE(requests.size(), 23u);
  EXPECT_GE(replies.size(), 22u);
  for (const ReadMessage& message : client.messages) {
    EXPECT_TRUE(message.is_message);
    EXPECT_TRUE(message.is_whole()) << message.message_bytes;
    EXPECT_FALSE(client.connections.at(message.connection).is_accepted);
  }
  for (const ReadMessage& message : server.messages)
    EXPECT_TRUE(server.connections.at(message.connection).is_accepted);
}

TEST_P(Recordings, OfBothEndsAreTheSame) { check_both_ends(Recorded(GetParam())); }

// The messages are recorded as they are inside, so that they can be read.
TEST(RecordingsOfTls, OfBothEndsAreTheSame) {
  const takt::test::Authority authority;
  const auto own = authority.issue({.name = "server"});
  const Recorded orbs("ssliop://127.0.0.1:0",
                      {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file},
                      {"-ORBTLSAuthorities", authority.file()});
  check_both_ends(orbs);
  const auto requests = octets_of(orbs.of_client(), Direction::sent);
  EXPECT_TRUE(std::ranges::any_of(requests, [](const auto& octets) {
    return std::string(octets.begin(), octets.end()).starts_with("GIOP") &&
           std::string(octets.begin(), octets.end()).find("cube") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Over, Recordings,
                         testing::Values("iiop://127.0.0.1:0", "iiop://[::1]:0",
                                         "unix:", "shm:", "inproc:", "udp://127.0.0.1:0"),
                         [](const auto& info) {
                           return std::string("transport") + std::to_string(info.index);
                         });

class RecordingsOf : public testing::TestWithParam<Options> {};

TEST_P(RecordingsOf, EachKindOfConnectionAreWhole) {
  const Recorded orbs(OrbPair::loopback, GetParam(), GetParam());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::uint8_t x = 0; x < 50; ++x)
        EXPECT_EQ(orbs.echo->cube(x), static_cast<std::uint8_t>(x * x * x));
    });
  for (auto& thread : threads) thread.join();
  const Recording client = orbs.of_client(), server = orbs.of_server();
  for (const Recording& each : {client, server}) {
    EXPECT_EQ(each.torn + each.left_out, 0u);
    EXPECT_GE(each.messages.size(), 400u);
    for (const ReadMessage& message : each.messages) EXPECT_TRUE(message.is_whole() && message.is_message);
  }
  auto sent = octets_of(client, Direction::sent), received = octets_of(server, Direction::received);
  std::ranges::sort(sent);
  std::ranges::sort(received);
  EXPECT_EQ(sent, received);
}

INSTANTIATE_TEST_SUITE_P(By, RecordingsOf,
                         testing::Values(Options{}, Options{"-ORBClientConnections", "multiplexed"},
                                         Options{"-ORBClientConnections", "multiplexed-active"},
                                         Options{"-ORBClientConnections", "cached"},
                                         Options{"-ORBServerConcurrency", "leader-followers"},
                                         Options{"-ORBServerConcurrency", "worker-pool"},
                                         Options{"-ORBMessaging", "giop-lite"}),
                         [](const auto& info) { return "options" + std::to_string(info.index); });

TEST(RecordingOfALongMessage, HasItsBeginningAndItsSize) {
  const Recorded orbs(OrbPair::loopback, {"-ORBRecorderMessageSize", "1KiB"});
  const Calls::Octets many(3'000'000, 7);
  EXPECT_EQ(orbs.echo->echo_octets(many).size(), many.size());
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const Recording server = orbs.of_server();
  const auto longest = std::ranges::max(server.messages, {}, &ReadMessage::message_bytes);
  EXPECT_GT(longest.message_bytes, many.size());
  EXPECT_EQ(longest.octets.size(), 1024u);
  EXPECT_TRUE(server.messages.back().is_whole());
}

// A server in a child that dies in an upcall has recorded the request.
class Crashing final : public EchoServant {
 public:
  void nothing() override { ::kill(::getpid(), SIGKILL); }
  void note(std::int32_t) override { ::raise(SIGSEGV); }
};

TEST(RecordingOfACrash, HasTheRequestThatWasBeingServed) {
  for (const bool killed : {true, false}) {
    const Folder folder;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const Orb orb = make_orb({"-ORBRecorder", "1MiB", "-ORBRecorderFile", folder / "server",
                                "-ORBListenEndpoints", OrbPair::loopback},
                               "crashing");
      const Poa root = root_poa(orb);
      root->the_POAManager()->activate();
      const std::string ior = orb->object_to_string(
          root->id_to_reference(root->activate_object(CORBA::make_reference<Crashing>())));
      (void)!::write(ends[1], ior.data(), ior.size());
      ::close(ends[1]);
      orb->run();
      ::_exit(1);
    }
    ::close(ends[1]);
    std::string ior(8192, '\0');
    ior.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], ior.data(), ior.size()), 0)));
    ::close(ends[0]);
    const Orb client = make_orb({}, "client");
    const auto echo = IDL::traits<Calls::Echo>::unchecked_narrow(client->string_to_object(ior));
    EXPECT_EQ(echo->cube(3), 27);
    if (killed)
      EXPECT_THROW(echo->nothing(), CORBA::SystemException);
    else
      echo->note(1);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    client->destroy();
    const Recording recording = read_recording_of(folder / "server");
    ASSERT_EQ(recording.messages.size(), 3u);
    const auto& last = recording.messages.back();
    EXPECT_EQ(last.direction, Direction::received);
    EXPECT_TRUE(last.is_whole());
    EXPECT_NE(std::string(last.octets.begin(), last.octets.end()).find(killed ? "nothing" : "note"),
              std::string::npos);
    EXPECT_EQ(recording.torn, 0u);
  }
}

// The ORB cannot be used in the child, but its thread may still close a connection.
TEST(RecordingOfAProcessThatForks, GoesOn) {
  const Recorded orbs;
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(0);
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(orbs.echo->cube(3), 27);
  EXPECT_EQ(orbs.of_client().messages.size(), orbs.of_server().messages.size());
}

TEST(RecorderOption, NeedsRoomAndANameThatIsFree) {
  for (const char* const wrong : {"1KiB", "-1", "many"})
    EXPECT_NE(refusal_of("-ORBRecorder", wrong), "nothing");
  const Folder folder;
  const auto first = make_orb({"-ORBRecorder", "64KiB", "-ORBRecorderFile", folder / "file"}, "first");
  try {
    make_orb({"-ORBRecorder", "64KiB", "-ORBRecorderFile", folder / "file"}, "second")->destroy();
    ADD_FAILURE() << "the second ORB started";
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_NE(std::string(refused.detail()).find("another ORB records there"), std::string::npos)
        << refused.detail();
  }
  first->destroy();
}

// Files that the ORBs of a test make by themselves.
std::vector<Recording> dumps_in(const Folder& folder, std::size_t wanted) {
  std::vector<Recording> found;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    found.clear();
    for (const auto& each : std::filesystem::directory_iterator(folder.path)) {
      std::ifstream in(each.path(), std::ios::binary);
      const std::vector<std::uint8_t> octets(std::istreambuf_iterator<char>(in), {});
      if (each.path().extension() != ".dump") continue;
      if (auto recording = takt::recorder::read_recording(octets)) found.push_back(std::move(*recording));
    }
  } while (found.size() < wanted && std::chrono::steady_clock::now() < until);
  return found;
}

bool has_request(const Recording& recording, std::string_view operation) {
  return std::ranges::any_of(recording.messages, [&](const ReadMessage& message) {
    return std::string(message.octets.begin(), message.octets.end()).find(operation) != std::string::npos;
  });
}

Options dumping(const Folder& folder, const std::string& on) {
  return {"-ORBRecorderDumpOn", on, "-ORBRecorderDumpFolder", folder.path, "-ORBRecorderDumpInterval", "1ms"};
}

TEST(RecordingDump, IsMadeWhenACallEndsWithASystemException) {
  for (const bool at_server : {false, true}) {
    const Folder folder;
    const Options options = dumping(folder, "exception");
    const Recorded orbs(OrbPair::loopback, at_server ? options : Options(), at_server ? Options() : options);
    EXPECT_EQ(orbs.echo->cube(2), 8);
    EXPECT_THROW(orbs.echo->refuse("a user exception"), Calls::Refused);
    EXPECT_THROW(orbs.echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
    const auto dumps = dumps_in(folder, 1);
    ASSERT_EQ(dumps.size(), 1u);
    EXPECT_EQ(dumps[0].copied_because, "a system exception");
    EXPECT_TRUE(has_request(dumps[0], "fail_with_system_exception"));
    EXPECT_TRUE(has_request(dumps[0], "NO_RESOURCES")) << "its reply";
    EXPECT_EQ(dumps[0].connections.begin()->second.is_accepted, at_server);
  }
}

TEST(RecordingDump, IsMadeWhenADeadlineIsMissed) {
  const Folder folder;
  const Recorded orbs(OrbPair::loopback, {}, dumping(folder, "deadline"));
  EXPECT_THROW(orbs.echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  CORBA::Any relative;
  relative <<= TimeBase::TimeT{200'000};  // 20 ms
  const auto hasty = IDL::traits<Calls::Echo>::narrow(orbs.echo->_set_policy_overrides(
      {orbs.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, relative)},
      CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_THROW(hasty->sleep_ms(200), CORBA::TIMEOUT);
  const auto dumps = dumps_in(folder, 1);
  ASSERT_EQ(dumps.size(), 1u);
  EXPECT_EQ(dumps[0].copied_because, "a missed deadline");
  EXPECT_TRUE(has_request(dumps[0], "sleep_ms"));
}

TEST(RecordingDump, IsMadeBySignal) {
  const Folder folder;
  const Recorded orbs(OrbPair::loopback, dumping(folder, "signal"));
  EXPECT_EQ(orbs.echo->cube(2), 8);
  ::raise(SIGUSR1);
  const auto dumps = dumps_in(folder, 1);
  ASSERT_EQ(dumps.size(), 1u);
  EXPECT_TRUE(has_request(dumps[0], "cube"));
}

// The ORB ends at once; the copy is there when destroy() has returned.
TEST(RecordingDump, IsMadeBeforeTheOrbEnds) {
  const Folder folder;
  {
    const Recorded orbs(OrbPair::loopback, {}, dumping(folder, "exception,deadline"));
    EXPECT_THROW(orbs.echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "feature_recorder.1.dump"));
}

TEST(RecordingDump, RefusesWhatItCannotDo) {
  const auto refusal = [](const Options& options) {
    try {
      make_orb(options, "refused")->destroy();
    } catch (const CORBA::SystemException& refused) {
      return std::string(refused.detail());
    }
    return std::string("nothing");
  };
  const Folder folder;
  const Options recorder{"-ORBRecorder", "64KiB", "-ORBRecorderFile", folder / "file"};
  EXPECT_NE(
      refusal(with(recorder, {"-ORBRecorderDumpOn", "crash"})).find("it takes exception, deadline or signal"),
      std::string::npos);
  EXPECT_NE(
      refusal(with(recorder, {"-ORBRecorderDumpOn", "signal", "-ORBRecorderDumpFolder", folder / "none"}))
          .find("is no folder; make it first"),
      std::string::npos);
  EXPECT_NE(refusal({"-ORBRecorderDumpOn", "signal"}).find("set Recorder to a size"), std::string::npos);
}

TEST(RecorderOption, RefusesAFileWithoutASize) {
  EXPECT_THROW(make_orb({"-ORBRecorderFile", "/tmp/no-such-file"}, "refused")->destroy(), CORBA::Exception);
}

}  // namespace
}  // namespace feature::recordings
