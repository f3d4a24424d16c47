// Configuration files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "config/config_file.h"
#include "config/option_names.h"
#include "config/option_values.h"
#include "reading.h"

namespace takt::orb {

using namespace std::chrono_literals;

// A file for each test, because tests run concurrently.
class ConfigFile : public testing::Test {
 protected:
  ConfigFile()
      : path_(testing::TempDir() + "takt_config_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml") {}
  ~ConfigFile() override { std::filesystem::remove(path_); }

  const std::string& file(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  static std::string origin(const EffectiveSettings& effective, std::string_view option) {
    return effective.origin_of(*find_option(option));
  }
  // The errors in a file with the text.
  static std::string problems(const std::string& text) {
    const auto read = options_in(text, "x.toml");
    return read ? "nothing" : read.error();
  }

  const std::string path_;
};

TEST_F(ConfigFile, HasOptionsOfEveryKind) {
  const auto settings = read({"-ORBConfig", file(R"(
ConnectTimeout = "2s"          # a duration
MaxMessageSize = "1MiB"        # a size
ReceiveBuffer = 65536          # octets
MaxConnections = 12
BusyPoll = "auto"              # a duration that may adapt
BusyPollShare = 20
ServerConcurrency = "reactive"
LockMemory = false
ListenEndpoints = ["iiop://:0", "unix:@a,b"]
ObjectKey = "a=corbaloc:rir:/RootPOA b=corbaloc:rir:/RootPOA"
)")});
  EXPECT_EQ(settings.client.connect_timeout.get(), 2s);
  EXPECT_EQ(settings.limits.message_bytes, 1024u * 1024);
  EXPECT_EQ(settings.streams.receive_buffer_bytes, 65536);
  EXPECT_EQ(settings.serving.max_connections, 12u);
  EXPECT_EQ(settings.streams.busy_poll, transport::StreamOptions::adaptive_poll);
  EXPECT_EQ(settings.streams.poll_share, 20);
  EXPECT_EQ(settings.serving.concurrency, Concurrency::reactive);
  EXPECT_FALSE(settings.threads.lock_memory);
  EXPECT_EQ(settings.serving.listen_endpoints, (std::vector<std::string>{"iiop://:0", "unix:@a,b"}));
  EXPECT_EQ(settings.runtime.object_keys.size(), 2u);
}

TEST_F(ConfigFile, GoesBeforeDefaultsAndAfterTheEnvironmentAndTheCommandLine) {
  const auto effective =
      read_all({"-ORBConfig",
                file("ConnectTimeout = \"1s\"\nRoundTripTimeout = \"1s\"\nFilterBudget = "
                     "\"1s\"\nInitRef = [\"A=file:///a\"]\n"),
                "-ORBConnectTimeout", "3s", "-ORBInitRef", "B=file:///b", "-ORBInitRef", "C=file:///c"},
               {{"TAKT_CONNECT_TIMEOUT", "2s"}, {"TAKT_ROUND_TRIP_TIMEOUT", "2s"}});
  EXPECT_EQ(effective.settings.client.connect_timeout.get(), 3s);
  EXPECT_EQ(origin(effective, "ConnectTimeout"), "-ORBConnectTimeout");
  EXPECT_EQ(effective.settings.client.round_trip_timeout.get(), 2s);
  EXPECT_EQ(origin(effective, "RoundTripTimeout"), "TAKT_ROUND_TRIP_TIMEOUT");
  EXPECT_EQ(effective.settings.serving.filter_budget, 1s);
  EXPECT_EQ(origin(effective, "FilterBudget"), path_ + ":3:1");
  EXPECT_EQ(effective.settings.server.send_timeout.get(), 30s);
  EXPECT_EQ(origin(effective, "SendTimeout"), "default");
  EXPECT_EQ(effective.settings.runtime.init_refs, (std::vector<std::string>{"B=file:///b", "C=file:///c"}));
}

TEST_F(ConfigFile, IsNamedByTheEnvironmentUnlessTheCommandLineDoes) {
  const std::string text = file("ConnectTimeout = \"1s\"\n");
  EXPECT_EQ(read({}, {{"TAKT_CONFIG", text}}).client.connect_timeout.get(), 1s);
  EXPECT_EQ(read({"-ORBConfig", ""}, {{"TAKT_CONFIG", text}}).client.connect_timeout.get(), 5s);
  EXPECT_NE(refusal({"-ORBConfig", "/nowhere.toml"}, {{"TAKT_CONFIG", text}}).find("/nowhere.toml: cannot"),
            std::string::npos);
}

TEST_F(ConfigFile, EverythingThatIsWrongIsSaidAtOnce) {
  EXPECT_EQ(
      problems("ConectTimeout = \"1s\"\n"
               "MaxConnections = 0\n"
               "  RoundTripTimeout = 5\n"
               "ServerConcurrency = [\"reactive\"]\n"
               "SendTimeout = 1.5\n"
               "MaxRedirections = true\n"
               "InitRef = [\"A=x\", 1979-05-27]\n"
               "Config = \"more.toml\"\n"
               "FilterBudget = \"1s\"\n"
               "[SendTimeOut]\n"),
      "x.toml:1:1: there is no option 'ConectTimeout', did you mean ConnectTimeout?\n"
      "x.toml:2:18: MaxConnections: '0' is not valid: it takes a number from 1 to 1000000, or automatic\n"
      "x.toml:3:22: RoundTripTimeout: '5' is not valid: it takes a duration from 1ms to 8760h, or 0, "
      "with its unit, as in 500ms\n"
      "x.toml:4:21: ServerConcurrency is not a list: it takes thread-per-connection, reactive, "
      "leader-followers, worker-pool or threading-framework\n"
      "x.toml:5:15: SendTimeout takes a duration from 1ms to 1h, in quotes\n"
      "x.toml:6:19: MaxRedirections takes a number from 0 to 1000\n"
      "x.toml:7:19: InitRef takes NAME=URL, several, in quotes\n"
      "x.toml:8:1: a file cannot name another one\n"
      "x.toml:10:2: there is no option 'SendTimeOut', did you mean SendTimeout?");
}

TEST_F(ConfigFile, WhatIsNoTomlIsRefusedWithItsPlace) {
  EXPECT_TRUE(problems("ConnectTimeout = \"1s\"\nRoundTripTimeout = 1s\n").starts_with("x.toml:2:"));
  EXPECT_TRUE(problems("ConnectTimeout = \"1s\"\nConnectTimeout = \"2s\"\n").starts_with("x.toml:2:"));
  EXPECT_TRUE(problems("LogLevel = \"debug").starts_with("x.toml:1:"));
  EXPECT_TRUE(problems(std::string(100000, '[')).starts_with("x.toml:"));
  EXPECT_TRUE(problems("[\n").starts_with("x.toml:"));  // toml++ asserts here
  EXPECT_TRUE(
      // toml++ considers this impossible.
      problems("LogLevel = \"off\"\n\xC3\xA9 = 1").starts_with("x.toml:2:"));
  EXPECT_EQ(problems("TimeProbes = \"caf\xC3\xA9\" # caf\xC3\xA9"), "nothing");
}

TEST_F(ConfigFile, IsAFileThatCanBeReadAndIsNotTooLong) {
  EXPECT_NE(refusal({"-ORBConfig", testing::TempDir()}).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConfig", "/dev/zero"}).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConfig", file(std::string(max_config_bytes + 1, '#'))}).find("longer than 1MiB"),
            std::string::npos);
}

TEST_F(ConfigFile, ProblemsOfAllSourcesAreSaidTogether) {
  const std::string said =
      refusal({"-ORBConfig", file("MaxConnections = 0"), "-ORBNothing", "x", "-ORBConnectTimeout", "soon"},
              {{"TAKT_FILTER_BUDGET", "none"}});
  EXPECT_EQ(std::ranges::count(said, '\n'), 3);
  EXPECT_NE(said.find("unknown option -ORBNothing"), std::string::npos);
  EXPECT_NE(said.find(path_ + ":1:18: MaxConnections"), std::string::npos);
  EXPECT_NE(said.find("TAKT_FILTER_BUDGET"), std::string::npos);
  EXPECT_NE(said.find("-ORBConnectTimeout"), std::string::npos);
}

// A file that is being written, or a disk that fails, would leave options out otherwise.
TEST(ConfigText, IsReadAsAWholeOrNotAtAll) {
  const auto text = read_config_text("/proc/self/status");  // the system says length 0
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().find("/proc/self/status: cannot be read as a whole"), 0u) << text.error();
}

TEST_F(ConfigFile, AnOrbThatCannotBeConfiguredDoesNotStart) {
  const std::string text = file("MaxConnections = 0");
  EXPECT_THROW(make_orb({"-ORBConfig", text}, "misconfigured"), CORBA::BAD_PARAM);
  const auto orb = make_orb({"-ORBConfig", file("LogLevel = \"off\"")}, "misconfigured");
  orb->destroy();
}

// Errors that only the part that uses the option can detect.
TEST_F(ConfigFile, AValueThatAPartRefusesHasItsPlace) {
  const auto refused = [](const std::vector<std::string>& options) {
    try {
      make_orb(options, "misconfigured")->destroy();
    } catch (const CORBA::SystemException& failure) {
      return std::string(failure.detail());
    }
    return std::string("nothing");
  };
  const std::vector<std::string> with_file = {
      "-ORBConfig", file("LogLevel = \"off\"\nListenEndpoints = [\"iiop://host:1x\"]\n")};
  EXPECT_TRUE(
      refused(with_file).starts_with(path_ + ":2:1: ListenEndpoints: 'iiop://host:1x' is not an endpoint"))
      << refused(with_file);
  const std::vector<std::string> with_plugin = {"-ORBConfig", file("\nPlugin = \"/nowhere.so\"")};
  EXPECT_TRUE(refused(with_plugin).starts_with(path_ + ":2:1: Plugin: /nowhere.so: "))
      << refused(with_plugin);
  const std::vector<std::string> with_key = {"-ORBConfig", file("\nObjectKey = [\"a=nonsense\"]")};
  EXPECT_TRUE(refused(with_key).starts_with(path_ + ":2:1: ObjectKey: 'nonsense' does not begin with IOR:"))
      << refused(with_key);
  EXPECT_TRUE(refused({"-ORBUnixPermissions", "rw"}).starts_with("option -ORBUnixPermissions: 'rw'"));
}

}  // namespace takt::orb
