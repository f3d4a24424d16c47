// Options: from text to values.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "config/endpoints.h"
#include "config/foreign_options.h"
#include "config/listen_place.h"
#include "config/option_names.h"
#include "config/option_values.h"
#include "config/page/options_page.h"
#include "reading.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::orb {

using namespace std::chrono_literals;

TEST(Settings, HaveDefaults) {
  const auto settings = read({});
  EXPECT_EQ(settings.client.connect_timeout.get(), 5s);
  EXPECT_EQ(settings.client.round_trip_timeout.get(), 30s);
  EXPECT_EQ(settings.limits.message_bytes, 4u * 1024 * 1024);
  EXPECT_EQ(settings.serving.listen_endpoints, std::vector<std::string>{"iiop://localhost:0"});
  EXPECT_EQ(settings.server.idle_timeout.get(), 2min);
  EXPECT_EQ(settings.limits.least_giop_minor, 0);
  EXPECT_EQ(settings.calling.connections, ClientConnections::exclusive);
}

TEST(Settings, AutomaticConnectionsLeaveAQuarterOfTheDescriptors) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 200;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto usual = read({}), given = read({"-ORBMaxConnections", "3000"});
  EXPECT_EQ(usual.most_connections(), 150u);
  EXPECT_EQ(usual.most_connections_per_peer(), 37u);
  EXPECT_EQ(given.most_connections(), 3000u);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(Settings, CountsThatAreAutomaticFollowFromOthers) {
  const auto of_descriptors = static_cast<std::size_t>(::sysconf(_SC_OPEN_MAX)) / 4 * 3;
  const std::size_t most = std::min<std::size_t>(2000, of_descriptors);
  const auto usual = read({});
  EXPECT_EQ(usual.most_connections(), most);
  EXPECT_EQ(usual.most_connections_per_peer(), most / 4);
  EXPECT_EQ(usual.most_queued_requests(4), 16u);
  EXPECT_EQ(usual.most_queued_requests(10), 40u);
  const auto reactive = read({"-ORBServerConcurrency", "reactive"});
  EXPECT_EQ(reactive.most_connections(), std::min<std::size_t>(20000, of_descriptors));
  const auto given = read({"-ORBMaxConnections", "3", "-ORBMaxQueuedRequests", "0"});
  EXPECT_EQ(given.most_connections(), 3u);
  EXPECT_EQ(given.most_connections_per_peer(), 1u);
  EXPECT_EQ(given.most_queued_requests(4), 0u) << "a total";
  EXPECT_EQ(read({"-ORBMaxConnectionsPerPeer", "7"}).most_connections_per_peer(), 7u);
  EXPECT_EQ(read({"-ORBMaxQueuedRequests", "automatic"}).most_queued_requests(4), 16u);
  EXPECT_NE(refusal({"-ORBServerThreads", "automatic"}).find("a number from 1 to 10000"), std::string::npos);
}

TEST(Settings, OptionsAreTakenOutOfTheCommandLine) {
  Arguments command({"first", "-ORBRoundTripTimeout", "200ms", "--mine", "-ORBListenEndpoints",
                     "iiop://a:1,iiop://b:2", "-ORBListenEndpoints", "iiop://c:3", "last"});
  const auto settings = read_effective(command.argc, command.argv.data(), {}).settings;
  EXPECT_EQ(settings.client.round_trip_timeout.get(), 200ms);
  EXPECT_EQ(settings.serving.listen_endpoints,
            (std::vector<std::string>{"iiop://a:1", "iiop://b:2", "iiop://c:3"}));
  EXPECT_EQ(command.left(), (std::vector<std::string>{"first", "--mine", "last"}));
  EXPECT_EQ(command.argv[static_cast<std::size_t>(command.argc)], nullptr);
}

TEST(Settings, TheCommandLineGoesBeforeTheEnvironment) {
  const std::map<std::string, std::string> variables{{"TAKT_CONNECT_TIMEOUT", "1s"},
                                                     {"TAKT_GIOP_VERSION", "1.1"},
                                                     {"TAKT_INIT_REF", "A=file:///a B=file:///b"}};
  const auto settings = read({"-ORBConnectTimeout", "2s"}, variables);
  EXPECT_EQ(settings.client.connect_timeout.get(), 2s);
  EXPECT_EQ(settings.limits.giop_minor, 1);
  EXPECT_EQ(settings.runtime.init_refs.size(), 2u);
}

TEST(Settings, RefusalsSayWhatWouldBeRight) {
  EXPECT_NE(refusal({"-ORBRoundtripTimeOut", "1s"}).find("did you mean -ORBRoundTripTimeout?"),
            std::string::npos);
  EXPECT_NE(refusal({"-ORBConectTimeout", "1s"}).find("-ORBConnectTimeout?"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConnectTimeout", "soon"}).find("a duration from 1ms to 1h"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConnectTimeout", "2h"}).find("1h"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConnectTimeout", "500"}).find("with its unit, as in 500ms"), std::string::npos);
  EXPECT_NE(refusal({"-ORBConnectTimeout"}).find("lacks its value"), std::string::npos);
  // A forgotten value is the fault, not the option that follows in its place.
  const std::string forgotten = refusal({"-ORBConnectTimeout", "-ORBServerThreads", "4"});
  EXPECT_NE(forgotten.find("-ORBConnectTimeout lacks its value: a duration"), std::string::npos) << forgotten;
  EXPECT_EQ(forgotten.find("ServerThreads"), std::string::npos) << forgotten;
  EXPECT_LT(refusal({"-ORBConnectTimeout", std::string(100000, 'x')}).size(), 300u);
  EXPECT_NE(refusal({"-ORBServerConcurrency", "magic"}).find("worker-pool or threading-framework"),
            std::string::npos);
  EXPECT_NE(refusal({"-ORBMaxConnections", "-1"}).find("a number from 1"), std::string::npos);
  EXPECT_NE(refusal({}, {{"TAKT_MAX_MESSAGE_SIZE", "3GiB"}}).find("TAKT_MAX_MESSAGE_SIZE"),
            std::string::npos);
}

TEST(Settings, AMisspelledVariableIsRefusedAndOneOfSomebodyElseIsNot) {
  EXPECT_EQ(refusal({}, {{"TAKT_SERVER_CONCURENCY", "reactive"}, {"TAKT_LOGLEVEL", "info"}}),
            "environment variable TAKT_LOGLEVEL: there is no such option, did you mean TAKT_LOG_LEVEL?\n"
            "environment variable TAKT_SERVER_CONCURENCY: there is no such option, did you mean "
            "TAKT_SERVER_CONCURRENCY?");
  EXPECT_EQ(
      refusal({}, {{"TAKT_IDL", "x"}, {"TAKT_HOME", "/opt"}, {"TAKT_CONFIG_DIR", "/etc"}, {"TAKT_", ""}}),
      "nothing");
}

TEST(Settings, AnOptionWithAWrongPrefixIsRefusedAndNotLeftToTheProgram) {
  EXPECT_EQ(refusal({"-orbListenEndpoints", "iiop://:0"}),
            "unknown option -orbListenEndpoints: did you mean -ORBListenEndpoints?");
  EXPECT_EQ(refusal({"--ORBLogLevel", "info"}), "unknown option --ORBLogLevel: did you mean -ORBLogLevel?");
  EXPECT_EQ(refusal({"--orbloglevel", "info"}), "unknown option --orbloglevel: did you mean -ORBLogLevel?");
  for (const char* const other :
       {"--orbit", "-orb", "---ORBLogLevel", "orbLogLevel", "-", "--", "-LogLevel", "-orbLogLevels"})
    EXPECT_EQ(refusal({other, "info"}), "nothing") << other;
}

TEST(Settings, ANameThatIsLikeNoneIsNotGuessed) {
  EXPECT_EQ(refusal({"-ORBFoo", "1"}), "unknown option -ORBFoo: `takt options` lists all options");
}

TEST(Settings, OptionsOfOtherOrbsAreKnownByTheirNames) {
  EXPECT_EQ(refusal({"-ORBendPoint", "giop:tcp::2809"}),
            "unknown option -ORBendPoint: that is omniORB's, and here it is -ORBListenEndpoints, which takes "
            "iiop://HOST:PORT, unix:/PATH or ssliop://HOST:PORT");
  EXPECT_NE(refusal({"-ORBsvcconf", "svc.conf"}).find("TAO's, and here it is -ORBConfig"), std::string::npos);
  for (const ForeignOption& one : foreign_options()) {
    EXPECT_TRUE(find_option(one.ours)) << one.name;
    EXPECT_FALSE(find_option(one.name)) << one.name;
    EXPECT_EQ(find_foreign_option(one.name), &one) << "twice: " << one.name;
  }
  EXPECT_FALSE(find_foreign_option(""));
}

// The table must have every such option, and no other.
TEST(Settings, ThePageOfPortingHasTheOptionsOfOtherOrbs) {
  std::ifstream file(PORTING_PAGE);
  std::set<std::string> rows, wanted;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| omniORB | `-ORB") || line.starts_with("| TAO | `-ORB")) rows.insert(line);
  for (const ForeignOption& one : foreign_options())
    wanted.insert("| " + std::string(one.orb) + " | `-ORB" + std::string(one.name) + "` | `-ORB" +
                  std::string(one.ours) + "` | " + std::string(one.as) + " |");
  EXPECT_EQ(rows, wanted);
}

TEST(Settings, DurationsAndSizes) {
  EXPECT_EQ(duration_from_text("250ms"), 250ms);
  EXPECT_EQ(duration_from_text("2min"), 2min);
  EXPECT_EQ(duration_from_text("0"), 0ns);
  for (const char* bad : {"", "5", "ms", "-1s", "1 s", "1d", "99999999999999h", "18446744073709551616s"})
    EXPECT_FALSE(duration_from_text(bad)) << bad;
  EXPECT_EQ(bytes_from_text("8KiB"), 8192u);
  EXPECT_EQ(bytes_from_text("17"), 17u);
  for (const char* bad : {"", "KiB", "1KB", "99999999999999999999", "18446744073709551615GiB"})
    EXPECT_FALSE(bytes_from_text(bad)) << bad;
  EXPECT_EQ(duration_to_text(90s), "90s");
  EXPECT_EQ(bytes_to_text(64 * 1024 * 1024), "64MiB");
}

// A default in Settings must be in the range of its option.
TEST(Settings, EveryDefaultIsOneThatItsOptionTakes) {
  for (const Option& option : options()) {
    Settings settings;
    const auto texts = texts_of(option, settings);
    clear_list(option, settings);
    for (const std::string& text : texts) {
      const auto set = set_option(option, text, settings);
      EXPECT_TRUE(set) << option.name << ' ' << (set ? "" : set.error());
    }
    EXPECT_EQ(texts_of(option, settings), texts) << option.name;
  }
}

TEST(Settings, EveryValueOfAChoiceIsRead) {
  for (const Option& option : options()) {
    const auto* const choice = std::get_if<Choice>(&option.kind);
    if (!choice) continue;
    for (const ChoiceValue& value : choice->values) {
      Settings settings;
      ASSERT_TRUE(set_option(option, value.name, settings)) << option.name;
      EXPECT_EQ(texts_of(option, settings), std::vector<std::string>{std::string(value.name)}) << option.name;
    }
  }
}

TEST(Settings, NoTwoOptionsSetTheSameField) {
  Settings settings;
  std::map<void*, std::string_view> fields;
  for (const Option& option : options())
    EXPECT_TRUE(fields.emplace(field_of(option).in(settings), option.name).second)
        << option.name << " and " << fields[field_of(option).in(settings)];
}

// The table does not compile with such a descriptor.
TEST(Settings, ADescriptorThatLacksSomethingIsRefused) {
  constexpr Field threads = at<&Settings::serving, &ServingOptions::threads>;
  constexpr Field idle = at<&Settings::server, &server::ServerOptions::idle_timeout>;
  constexpr Field texts = at<&Settings::runtime, &RuntimeOptions::signals>;
  constexpr Conflict vague[] = {{"Lanes", nullptr, "", "", ""}};
  const auto fault = [](const Option& option) { return std::string(fault_of(option)); };
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, "threads"}, fixed(), "Threads."}), "");
  EXPECT_EQ(fault({"", Count{threads, 1, 9, "threads"}, fixed(), "Threads."}), "it has no name");
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, "threads"}, fixed(), ""}), "it has no meaning");
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, ""}, fixed(), "Threads."}), "it has no unit");
  EXPECT_EQ(fault({"A", Count{threads, 9, 9, "threads"}, fixed(), "Threads."}), "it has no range");
  EXPECT_EQ(fault({"A", Count{{}, 1, 9, "threads"}, fixed(), "Threads."}),
            "it has no field, and so no default");
  EXPECT_EQ(fault({"A", Count{idle, 1, 9, "threads"}, fixed(), "Threads."}), "its field is no number");
  EXPECT_EQ(fault({"A", Bytes{idle, 1, 9}, fixed(), "Octets."}), "its field is no number");
  EXPECT_EQ(fault({"A", Count{at<&Settings::limits, &giop::Limits::expansion>, 1, 65535, "times"}, fixed(),
                   "Times."}),
            "");
  EXPECT_EQ(fault({"A", Count{at<&Settings::limits, &giop::Limits::expansion>, 1, 65536, "times"}, fixed(),
                   "Times."}),
            "its range exceeds its field");
  EXPECT_EQ(fault({"A", Duration{threads, 1ms, 1s}, fixed(), "Time."}), "its field is no duration");
  EXPECT_EQ(fault({"A", Duration{idle, 1s, 1s}, fixed(), "Time."}), "it has no range");
  EXPECT_EQ(fault({"A", Text{texts, "NAME"}, fixed(), "Name."}), "its field is no text");
  EXPECT_EQ(fault({"A", Texts{texts, "", ","}, fixed(), "Names."}), "it has no form");
  EXPECT_EQ(fault({"A", Texts{texts, "NAME", ""}, fixed(), "Names."}), "nothing divides its list");
  EXPECT_EQ(fault({"A", Set{texts, {}, ","}, fixed(), "Which."}), "its field is no set");
  constexpr Field set = at<&Settings::runtime, &RuntimeOptions::admin>;
  constexpr ChoiceValue large[] = {{"much", 32}};
  EXPECT_EQ(fault({"A", Set{set, large, ""}, fixed(), "Which."}), "nothing divides its list");
  EXPECT_EQ(fault({"A", Set{set, {}, ","}, fixed(), "Which."}), "its values do not fit");
  EXPECT_EQ(fault({"A", Set{set, large, ","}, fixed(), "Which."}), "its values do not fit");
  EXPECT_EQ(fault({"A", Choice{threads, {}}, fixed(), "Which."}), "its field is no choice");
  EXPECT_EQ(
      fault({"A", Choice{at<&Settings::tls, &transport::TlsOptions::plain_too>, {}}, fixed(), "Which."}),
      "it leaves no choice");
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, "threads"}, fixed(""), "Threads."}),
            "it does not say whether it can change");
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, "threads"}, set_live("at once"), "Threads."}),
            "it can change, but its field is not LiveSetting and nothing takes the change");
  EXPECT_EQ(fault({"A", Duration{idle, 1ms, 1s}, set_live("at once"), "Time."}), "");
  EXPECT_EQ(fault({"A", Duration{idle, 1ms, 1s}, add_live("at once", &RunningOrb::take_limits), "Time."}),
            "only lists can be added to");
  EXPECT_EQ(fault({"A", Count{threads, 1, 9, "threads"}, fixed(), "Threads.", vague}),
            "a conflict of it is not complete");
}

TEST(Settings, AConflictMustNameAnOption) {
  constexpr Field threads = at<&Settings::serving, &ServingOptions::threads>;
  constexpr auto never = [](const Settings&) { return false; };
  constexpr Conflict known[] = {{"A", never, "1", "it cannot be", "give 2"}};
  constexpr Conflict misspelt[] = {{"Aa", never, "1", "it cannot be", "give 2"}};
  const Option good[] = {{"A", Count{threads, 1, 9, "threads"}, fixed(), "Threads.", known}};
  const Option bad[] = {{"A", Count{threads, 1, 9, "threads"}, fixed(), "Threads.", misspelt}};
  EXPECT_TRUE(conflicts_name_options(good));
  EXPECT_FALSE(conflicts_name_options(bad));
  EXPECT_TRUE(conflicts_name_options(options()));
}

TEST(Settings, EveryOptionIsDocumentedOnce) {
  const std::string page = options_as_markdown();
  std::set<std::string> variables;
  for (const Option& option : options()) {
    EXPECT_NE(page.find("`-ORB" + std::string(option.name) + "`"), std::string::npos);
    EXPECT_TRUE(variables.insert(environment_name(option.name)).second) << option.name;
    EXPECT_FALSE(option.meaning.empty());
  }
  EXPECT_EQ(environment_name("GIOPVersion"), "TAKT_GIOP_VERSION");
  EXPECT_EQ(environment_name("InitRef"), "TAKT_INIT_REF");
}

TEST(Endpoints, AreRead) {
  transport::TransportRegistry transports;
  transports.add(std::make_unique<transport::TcpTransport>());
  transports.add(std::make_unique<transport::UdsTransport>());
  const auto parse = [&](const char* text) {
    return endpoint_from_text(text, "ListenEndpoints", transports);
  };
  EXPECT_EQ(parse("iiop://host:2809"), (transport::Endpoint{"iiop", "host", 2809}));
  EXPECT_EQ(parse("iiop://[::1]:1"), (transport::Endpoint{"iiop", "::1", 1}));
  EXPECT_EQ(parse("iiop://:5"), (transport::Endpoint{"iiop", "", 5}));
  EXPECT_EQ(parse("host"), (transport::Endpoint{"iiop", "host", 0}));
  EXPECT_EQ(parse("host:7"), (transport::Endpoint{"iiop", "host", 7}));
  EXPECT_EQ(parse("unix:/run/x"), (transport::Endpoint{"unix", "/run/x", 0}));
  EXPECT_EQ(parse("unix:@x"), (transport::Endpoint{"unix", "@x", 0}));
  for (const char* bad :
       {"http://host:1", "iiop://host:99999", "iiop://[::1", "iiop://host:1x", "iiop://[::1]x", "unix:x"})
    EXPECT_THROW(parse(bad), CORBA::BAD_PARAM) << bad;
}

TEST(Endpoints, ToListenAtMayHaveARangeOfPortsAndSayWhatReferencesContain) {
  transport::TransportRegistry transports;
  transports.add(std::make_unique<transport::TcpTransport>());
  transports.add(std::make_unique<transport::UdsTransport>());
  const auto parse = [&](const char* text) {
    const ListenPlace place = listen_place_from_text(text, "ListenEndpoints", transports);
    return to_text(place.endpoint) + " to " + std::to_string(place.last_port) + " as " +
           (place.published ? place.published_host : "none");
  };
  EXPECT_EQ(parse("iiop://host:2809"), "iiop host:2809 to 0 as ");
  EXPECT_EQ(parse("iiop://:2810-2812"), "iiop *:2810 to 2812 as ");
  EXPECT_EQ(parse("[::1]:5-5?publish=shop.example.com"), "iiop [::1]:5 to 5 as shop.example.com");
  EXPECT_EQ(parse("iiop://:5?publish=[2001:db8::1]"), "iiop *:5 to 0 as 2001:db8::1");
  EXPECT_EQ(parse("iiop://a-1:7?publish=none"), "iiop a-1:7 to 0 as none");
  EXPECT_EQ(parse("unix:/run/a:1-2?x?publish=none"), "unix /run/a:1-2?x to 0 as none");
  for (const char* bad : {"iiop://:0-5", "iiop://:9-8", "iiop://:9-65536", "iiop://:9-99999999999",
                          "iiop://:9-", "iiop://:-9", "iiop://:1-2-3", "iiop://:9?publish=",
                          "unix:/x?publish=host", "iiop://:9?publish=0.0.0.0", "iiop://:9?publish=a b",
                          "iiop://:9?publish=a:5", "iiop://:9?publish=[::1", "iiop://:9?publish=a?publish=b"})
    EXPECT_THROW(parse(bad), CORBA::BAD_PARAM) << bad;
}

TEST(Endpoints, OfOtherOrbsAreAnsweredWithOurForm) {
  transport::TransportRegistry transports;
  transports.add(std::make_unique<transport::TcpTransport>());
  const std::pair<const char*, const char*> forms[] = {{"giop:tcp::2809", "here it is iiop://HOST:PORT"},
                                                       {"tcp://host:2809", "here it is iiop://HOST:PORT"},
                                                       {"uiop:///run/x", "here it is unix:/PATH"},
                                                       {"iiop:2810", "all addresses is iiop://:2810"}};
  for (const auto& [text, form] : forms) {
    try {
      endpoint_from_text(text, "ListenEndpoints", transports);
      ADD_FAILURE() << text;
    } catch (const CORBA::BAD_PARAM& refusal) {
      EXPECT_TRUE(refusal.detail().ends_with(form)) << refusal.what();
    }
  }
  EXPECT_EQ(endpoint_from_text("tcp:7", "ListenEndpoints", transports).host, "tcp") << "a host's name";
}

}  // namespace takt::orb
