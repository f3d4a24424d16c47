// Personalities (sets of defaults), and conflicting settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "config/option_names.h"
#include "config/option_values.h"
#include "config/personality/personality.h"
#include "reading.h"

namespace takt::orb {

using namespace std::chrono_literals;

const std::string& origin_of(const EffectiveSettings& effective, std::string_view option) {
  return effective.origin_of(*find_option(option));
}

TEST(Personalities, AreThoseThatTheOptionTakes) {
  const auto& choice = std::get<PluginChoice>(find_option("Personality")->kind);
  const Personalities personalities;
  ASSERT_EQ(choice.values.size(), personalities.all().size());
  for (std::size_t i = 0; i < choice.values.size(); ++i)
    EXPECT_EQ(choice.values[i].name, personalities.all()[i].name);
  EXPECT_FALSE(personalities.find("none"));
}

TEST(Personalities, SetOptionsThatThereAreOnceToValuesThatTheyTake) {
  const Personalities personalities;
  for (const Personality& personality : personalities.all()) {
    std::set<std::string_view> seen;
    for (const Preset& preset : personality.presets) {
      EXPECT_TRUE(seen.insert(preset.option).second) << personality.name << ' ' << preset.option;
      const Option* option = find_option(preset.option);
      ASSERT_TRUE(option) << preset.option;
      Settings settings;
      EXPECT_TRUE(set_option(*option, preset.value, settings)) << personality.name << ' ' << preset.option;
      EXPECT_NE(preset.option, "Personality");
      EXPECT_FALSE(preset.why.empty());
    }
  }
}

// Also checks that no personality conflicts with itself.
TEST(Personalities, AreTheDefaultsOfAnOrb) {
  const Personalities personalities;
  for (const Personality& personality : personalities.all()) {
    const auto effective = read_all({"-ORBPersonality", std::string(personality.name)});
    for (const Preset& preset : personality.presets)
      EXPECT_EQ(origin_of(effective, preset.option), "personality " + std::string(personality.name));
  }
  EXPECT_EQ(read({"-ORBPersonality", "minimal"}).serving.max_connections, 64u);
  EXPECT_EQ(read({"-ORBPersonality", "avionics"}).serving.listen_endpoints,
            (std::vector<std::string>{"unix:", "iiop://localhost:0"}));
  EXPECT_EQ(read({"-ORBPersonality", "imaging"}).limits.message_bytes, 1024u * 1024 * 1024);
  const giop::Dialect tao = read({"-ORBPersonality", "tao"}).dialect;
  EXPECT_EQ(tao.values, giop::ValueForms::tao);
  EXPECT_EQ(tao.long_doubles, giop::LongDoubles::x87);
  EXPECT_EQ(tao.assumed, (cdr::CodeSets{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16_of_message}));
}

TEST(Personalities, GiveWayToEverythingThatIsSaidOfAnOption) {
  const std::string path = testing::TempDir() + "takt_personality.toml";
  std::ofstream(path) << "Personality = \"minimal\"\nMaxConnections = 100\n";
  const auto effective =
      read_all({"-ORBConfig", path, "-ORBHeldRequests", "5"}, {{"TAKT_IDLE_TIMEOUT", "3s"}});
  std::filesystem::remove(path);
  EXPECT_EQ(effective.settings.serving.concurrency, Concurrency::reactive);
  EXPECT_EQ(effective.settings.serving.max_connections, 100u);
  EXPECT_EQ(effective.settings.server.idle_timeout.get(), 3s);
  EXPECT_EQ(effective.settings.adapter.held_requests, 5u);
}

TEST(Personalities, TheLastWordChoosesOne) {
  const Environment variables = {{"TAKT_PERSONALITY", "imaging"}};
  EXPECT_EQ(read({}, variables).limits.message_bytes, 1024u * 1024 * 1024);
  EXPECT_EQ(read({"-ORBPersonality", "minimal"}, variables).limits.message_bytes, 256u * 1024);
  EXPECT_EQ(read({"-ORBPersonality", "standard"}, variables).limits.message_bytes, 4u * 1024 * 1024);
  EXPECT_EQ(refusal({"-ORBPersonality", "avionic"}),
            "option -ORBPersonality: 'avionic' is not valid: it takes standard, realtime, avionics, imaging, "
            "minimal, tao or a plug-in's, and no plug-in is loaded (-ORBPlugin)");
}

// One for each conflict of each option, in the same order.
const std::vector<std::vector<std::string>> conflicting = {
    {"-ORBListenEndpoints", "iiop://:2809", "-ORBLaneEndpoints", "40=iiop://:2809"},
    {"-ORBLaneEndpoints", "40=unix:/run/x,10=unix:/run/x"},
    {"-ORBServerConcurrency", "reactive", "-ORBAcceptBidirectional", "any"},
    {"-ORBKeySecretFile", "key.secret"},
    {"-ORBAcceptBidirectional", "same-address", "-ORBGIOPVersion", "1.1"},
    {"-ORBBidirectionalPolicy", "both", "-ORBGIOPVersion", "1.0"},
    {"-ORBTLSKey", "key.pem"},
    {"-ORBTLSKeyPasswordFile", "key.password"},
    {"-ORBTLSServerCertificates", "none", "-ORBTLSRevoked", "revoked.pem"},
    {"-ORBTLSHostCheck", "off"},
    {"-ORBTLSPlainToo", "on", "-ORBTLSClientCertificates", "required"},
    {"-ORBSchedulingClass", "other", "-ORBPriorityMapping", "direct"},
    {"-ORBLaneQueuedRequests", "10"},
    {"-ORBLaneBorrowing", "on"},
    {"-ORBLaneReservations", "40=1ms/10ms", "-ORBLaneCpus", "10=0;40=0"},
    {"-ORBMinGIOPVersion", "1.2", "-ORBGIOPVersion", "1.1"},
    {"-ORBMessaging", "giop-lite", "-ORBGIOPVersion", "1.1"},
    {"-ORBMessaging", "giop-lite", "-ORBFragmentSize", "4KiB"},
    {"-ORBCompression", "on", "-ORBGIOPVersion", "1.1"},
    {"-ORBCompression", "on", "-ORBFragmentSize", "4KiB"},
    {"-ORBTraceSampleOn", "exception"},
    {"-ORBTraceFile", "own.spans"},
    {"-ORBRecorderFile", "own.recording"},
    {"-ORBRecorderDumpOn", "exception"},
};

TEST(Conflicts, AreRefusedWithWhereTheyComeFromAndWhatToDo) {
  std::size_t i = 0;
  for (const Option& option : options())
    for (const Conflict& conflict : option.conflicts) {
      ASSERT_LT(i, conflicting.size());
      const std::string said = refusal(conflicting[i++]);
      EXPECT_EQ(std::ranges::count(said, '\n'), 0) << said;
      for (const auto part : {option.name, conflict.other, conflict.why, conflict.instead})
        EXPECT_NE(said.find(part), std::string::npos) << said << '\n' << part;
      EXPECT_TRUE(find_option(conflict.other));
    }
  EXPECT_EQ(i, conflicting.size());
  EXPECT_EQ(refusal({"-ORBGIOPVersion", "1.1"}, {{"TAKT_BIDIRECTIONAL_POLICY", "both"}}),
            "BidirectionalPolicy = both (TAKT_BIDIRECTIONAL_POLICY) conflicts with GIOPVersion = 1.1 "
            "(-ORBGIOPVersion): connections are offered to servers only in GIOP 1.2; leave GIOPVersion at "
            "1.2, which also calls older servers, or set BidirectionalPolicy to normal");
}

TEST(Conflicts, OfAPersonalityNameIt) {
  EXPECT_NE(refusal({"-ORBPersonality", "avionics", "-ORBAcceptBidirectional", "any"})
                .find("ServerConcurrency = reactive (personality avionics)"),
            std::string::npos);
}

TEST(Conflicts, AreNoneWhereTheSystemChooses) {
  EXPECT_EQ(refusal({"-ORBListenEndpoints", "iiop://:0", "-ORBLaneEndpoints", "40=iiop://:0,10=iiop://:0"}),
            "nothing");
  for (const char* host : {"iiop://localhost", "iiop://[::1]", "localhost"})
    EXPECT_EQ(refusal({"-ORBListenEndpoints", host, "-ORBLaneEndpoints", std::string("40=") + host}),
              "nothing");
  EXPECT_EQ(refusal({"-ORBListenEndpoints", "unix:", "-ORBLaneEndpoints", "40=unix:"}), "nothing");
  EXPECT_EQ(refusal({"-ORBListenEndpoints", "iiop://:1", "-ORBLaneEndpoints", "40=iiop://:2"}), "nothing");
}

}  // namespace takt::orb
