// An ORB takes the settings of omniORB or TAO beside its own.
#include <gtest/gtest.h>

#include <algorithm>

#include <takt/config/other_orbs.h>

#include "config/options_table.h"
#include "foreign/other_orb.h"
#include "reading.h"

namespace takt::orb {

using namespace std::chrono_literals;

namespace {

class OtherOrbSettings : public testing::Test {
 protected:
  ~OtherOrbSettings() override { set_other_orb(nullptr); }
};
class AsOmniorb : public OtherOrbSettings {
 protected:
  AsOmniorb() { take_settings_of_omniorb(); }
};
class AsTao : public OtherOrbSettings {
 protected:
  AsTao() { take_settings_of_tao(); }
};

using Words = std::vector<std::string>;

std::string origin(const EffectiveSettings& effective, std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return effective.origins[static_cast<std::size_t>(found - options().begin())];
}

}  // namespace

TEST_F(AsOmniorb, OptionsStandAnywhereInTheCommandLine) {
  Arguments command({"first", "-ORBendPoint", "giop:tcp::2810", "-x", "-ORBclientCallTimeOutPeriod", "200",
                     "last", "-ORBendPoint", "giop:unix:/run/x"});
  const auto all = read_effective(command.argc, command.argv.data(), {});
  EXPECT_EQ(all.settings.client.round_trip_timeout.get(), 200ms);
  EXPECT_EQ(all.settings.serving.listen_endpoints, (Words{"iiop://:2810", "unix:/run/x"}));
  EXPECT_EQ(command.left(), (Words{"first", "-x", "last"}));
  EXPECT_EQ(origin(all, "RoundTripTimeout"), "-ORBclientCallTimeOutPeriod");
  EXPECT_EQ(all.sources.arguments.size(), 6u);
  EXPECT_EQ(read_again(all.sources).settings.client.round_trip_timeout.get(), 200ms);
}

// A signal may have the sources read again in another thread, when the program has wiped its password.
TEST_F(AsOmniorb, VariablesOfTheProgramAreLookedAtOnlyAtTheStart) {
  static const char* variable;
  variable = "7s";
  take_settings_of_program(
      [] { return std::vector<SettingOfProgram>{{"ConnectTimeout", variable, "variable"}}; });
  const auto all = read_all({});
  variable = nullptr;
  take_settings_of_program(nullptr);
  EXPECT_EQ(all.settings.client.connect_timeout.get(), 7s);
  EXPECT_EQ(read_again(all.sources).settings.client.connect_timeout.get(), 7s);
}

TEST_F(AsOmniorb, DefaultsAreThoseOfOmniorb) {
  const auto all = read_all({});
  EXPECT_EQ(all.settings.serving.listen_endpoints, Words{"iiop://:0"});
  EXPECT_EQ(all.settings.client.round_trip_timeout.get(), 0s);
  EXPECT_EQ(all.settings.calling.connections, ClientConnections::cached);
  EXPECT_EQ(origin(all, "RoundTripTimeout"), "default of omniORB");
  EXPECT_TRUE(all.settings.tls.check_hosts);
  EXPECT_FALSE(read({"-ORBsslCAFile", "a.pem"}).tls.check_hosts);
  EXPECT_NE(refusal({"-ORBsslCAFile", "a.pem", "-ORBTLSAuthorities", ""}).find("-ORBsslCAFile"),
            std::string::npos)
      << "the authorities of the system";
  EXPECT_EQ(read({"-ORBPersonality", "realtime"}).calling.connections, ClientConnections::exclusive);
}

TEST_F(AsOmniorb, SettingsByTaktsNamesPrevail) {
  EXPECT_EQ(read({"-ORBConnectTimeout", "1s", "-ORBclientConnectTimeOutPeriod", "2000"})
                .client.connect_timeout.get(),
            1s);
  EXPECT_EQ(read({"-ORBclientConnectTimeOutPeriod", "2000"}, {{"TAKT_CONNECT_TIMEOUT", "3s"}})
                .client.connect_timeout.get(),
            3s);
  EXPECT_EQ(
      read({"-ORBendPoint", "giop:tcp::1", "-ORBListenEndpoints", "iiop://a:2"}).serving.listen_endpoints,
      Words{"iiop://a:2"});
}

TEST_F(AsOmniorb, InitialReferencesOfAllPlacesAreKept) {
  EXPECT_EQ(read({"-ORBInitRef", "A=corbaloc::a/A", "-ORBInitRef", "B=corbaloc::b/B"}).runtime.init_refs,
            (Words{"A=corbaloc::a/A", "B=corbaloc::b/B"}));
}

TEST_F(AsOmniorb, MistakesNameTheirPlace) {
  EXPECT_EQ(refusal({"-ORBgiopMaxMsgSize", "abc"}),
            "-ORBgiopMaxMsgSize: 'abc' is not valid for giopMaxMsgSize: it takes a number of octets, at "
            "least 8192");
  EXPECT_THROW(read_all({"-ORBgiopMaxMsgSize", "abc"}), CORBA::INITIALIZE) << "as in omniORB";
  EXPECT_NE(refusal({"-ORBgiopmaxmsgsize", "10000"}).find("-ORBMaxMessageSize"), std::string::npos)
      << "case matters";
  EXPECT_NE(refusal({"-ORBfoo", "1"}).find("unknown option -ORBfoo"), std::string::npos);
  EXPECT_EQ(refusal({"-ORBendPoint"}), "-ORBendPoint: it lacks its value");
  EXPECT_EQ(refusal({"-ORBendPoint", "-ORBtraceLevel", "5"}), "-ORBendPoint: it lacks its value");
  EXPECT_NE(refusal({"-ORBnativeCharCodeSet", "KOI8-R"})
                .find("-ORBnativeCharCodeSet: 'KOI8-R' is not valid: it takes UTF-8"),
            std::string::npos);
  EXPECT_NE(refusal({"-ORBmaxGIOPVersion", "1.1", "-ORBofferBiDirectionalGIOP", "1"})
                .find("-ORBofferBiDirectionalGIOP"),
            std::string::npos);
}

TEST_F(AsOmniorb, SettingsWithoutEffectAreTold) {
  class Lines final : public EventLog {
   public:
    void write(const LogLine& line) noexcept override { texts.emplace_back(line.reason); }
    Words texts;
  } log;
  const auto remarks = read_all({"-ORBsupportCurrent", "1"}).remarks;
  remarks->log_to(log);
  EXPECT_EQ(log.texts, Words()) << "warnings only";
  log.set_level(LogLevel::info);
  remarks->log_to(log);
  EXPECT_EQ(log.texts, Words{"-ORBsupportCurrent: supportCurrent has no effect: it is always done"});
}

TEST_F(AsTao, OptionsMayHaveNoValueAndAnyCase) {
  Arguments command({"-ORBSkipServiceConfigOpen", "word", "-orbx", "-ORBDEBUGLEVEL", "10",
                     "-ORBListenEndpoints", "iiop://:2810/hostname_in_ior=x"});
  const auto all = read_effective(command.argc, command.argv.data(), {});
  EXPECT_EQ(command.left(), (Words{"word", "-orbx"}));
  EXPECT_EQ(all.settings.serving.listen_endpoints, Words{"iiop://:2810?publish=x"});
  EXPECT_EQ(all.settings.runtime.log_level, LogLevel::trace);
}

TEST_F(AsTao, DirectivesOfTheCommandLineAreTaken) {
  EXPECT_EQ(read({"-ORBSvcConfDirective", "static Server_Strategy_Factory '-ORBConcurrency reactive'"})
                .serving.concurrency,
            Concurrency::reactive);
  EXPECT_NE(refusal({"-ORBSvcConf", "/nowhere/svc.conf"}).find("/nowhere/svc.conf: cannot be read"),
            std::string::npos);
}

TEST_F(AsTao, ANameThatTaktHasTooIsTaos) {
  const auto settings = read({"-ORBMaxMessageSize", "65536"});
  EXPECT_EQ(settings.messages.fragment_bytes, 65536u);
  EXPECT_EQ(settings.limits.message_bytes, 256u * 1024 * 1024);
  EXPECT_EQ(read({}, {{"TAKT_MAX_MESSAGE_SIZE", "65536"}}).limits.message_bytes, 65536u);
}

TEST_F(OtherOrbSettings, AreNotTakenByOtherPrograms) {
  EXPECT_NE(refusal({"-ORBendPoint", "giop:tcp::1"}).find("that is omniORB's"), std::string::npos);
  EXPECT_EQ(read({}).serving.listen_endpoints, Words{"iiop://localhost:0"});
}

}  // namespace takt::orb
