// Settings of omniORB and TAO, translated.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "config/foreign_options.h"
#include "config/option_names.h"
#include "config/option_values.h"
#include "foreign/collector.h"
#include "foreign/omniorb.h"
#include "foreign/setting.h"
#include "foreign/svc_conf.h"
#include "foreign/tao.h"

namespace takt::orb::others {

namespace {

struct Table {
  const Translator& orb;
  std::span<const Setting> settings;
  const Setting* (*find)(std::string_view name);
};
const Table tables[] = {{omniorb(), omniorb_settings(), find_omniorb_setting},
                        {tao(), tao_settings(), find_tao_setting}};

std::string text_of(const std::vector<TranslatedValue>& values) {
  std::string text;
  for (const TranslatedValue& value : values)
    text.append(text.empty() ? "" : "; ").append(value.option).append(" = ").append(value.text);
  return text;
}

Translation taken(const Setting& setting, std::string_view value) {
  Collector collector;
  collector.begin("here");
  collector.take(&setting, setting.name, value);
  return collector.finish();
}

std::string option_of(const Setting& setting) {
  const bool keeps = setting.name.starts_with("SSL") || setting.name.starts_with("RTORB");
  return (keeps ? "-" : "-ORB") + std::string(setting.name);
}

// A row of the page.
std::string row_of(const Setting& setting) {
  std::string row = "| `" + option_of(setting) + "` | ";
  switch (setting.fate) {
    case Fate::translated:
      if (setting.becomes.empty())
        return row + "`" + std::string(setting.example) + "` | " + std::string(setting.text) + " |";
      return row + (setting.takes_value ? "`" + std::string(setting.example) + "`" : "") + " | `" +
             std::string(setting.becomes) + "` |";
    case Fate::without_effect:
      return row + "| no effect: " + std::string(setting.text) + " |";
    case Fate::refused:
      return row + "| refused: " + std::string(setting.text) + " |";
    case Fate::read:
      return row + "| " + std::string(setting.text) + " |";
  }
  return row;
}

Translation of(const Translator& orb, std::vector<ForeignArgument> arguments,
               const Variables& variables = {}) {
  return orb.translate(arguments, {}, variables);
}

Translation of_file(std::string_view text) {
  Collector collector;
  read_omniorb_file(text, "omniORB.cfg", collector);
  return collector.finish();
}

Translation of_svc_conf(std::string_view text) {
  Collector collector;
  read_svc_conf(text, "svc.conf", collector);
  return collector.finish();
}

std::string only(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? texts.front() : std::to_string(texts.size()) + " texts";
}

std::string endpoints(std::string_view value) {
  const Translation translation = taken(*find_tao_setting("ListenEndpoints"), value);
  return translation.problems.empty() ? text_of(translation.values) : only(translation.problems);
}

}  // namespace

TEST(OtherOrbs, EachSettingThatIsTranslatedBecomesWhatItsRowSays) {
  for (const Table& table : tables)
    for (const Setting& setting : table.settings) {
      if (setting.fate != Fate::translated) continue;
      const Translation translation = taken(setting, setting.example);
      EXPECT_EQ(translation.problems, std::vector<std::string>()) << setting.name;
      EXPECT_EQ(text_of(translation.values), setting.becomes) << setting.name;
      EXPECT_TRUE(setting.ours.empty() ? translation.transient_on_timeout.has_value()
                                       : find_option(setting.ours) != nullptr)
          << setting.name;
      EXPECT_NE(setting.becomes.empty(), setting.text.empty()) << setting.name;
      for (const TranslatedValue& value : translation.values) {
        const Option* const option = find_option(value.option);
        ASSERT_TRUE(option) << value.option;
        Settings settings;
        const auto set = add_item(*option, value.text, settings);
        EXPECT_TRUE(set) << setting.name << ": " << (set ? "" : set.error());
        EXPECT_EQ(value.origin, "here");
      }
    }
}

TEST(OtherOrbs, EachOtherSettingSaysWhy) {
  for (const Table& table : tables)
    for (const Setting& setting : table.settings) {
      EXPECT_EQ(table.find(setting.name), &setting) << "twice: " << setting.name;
      if (setting.fate == Fate::translated) continue;
      EXPECT_FALSE(setting.text.empty()) << setting.name;
      const Translation translation = taken(setting, "1");
      EXPECT_TRUE(translation.values.empty()) << setting.name;
      const auto& said = setting.fate == Fate::without_effect ? translation.notes : translation.problems;
      EXPECT_NE(only(said).find(setting.text), std::string::npos) << setting.name;
    }
}

TEST(OtherOrbs, ValuesThatAreNoneAreRefusedWithTheirForm) {
  for (const auto& [name, value, form] : std::vector<std::array<std::string_view, 3>>{
           {"clientCallTimeOutPeriod", "soon", "a number of milliseconds"},
           {"clientCallTimeOutPeriod", "-1", "a number of milliseconds"},
           {"clientCallTimeOutPeriod", "", "a number of milliseconds"},
           {"throwTransientOnTimeOut", "yes", "0 or 1"},
           {"InitRef", "nonsense", "NAME=URL"},
           {"InitRef", "=corbaloc::h/x", "NAME=URL"},
           {"inConScanPeriod", "3min", "a number of seconds"},
           {"giopMaxMsgSize", "8191", "at least 8192"},
           {"giopMaxMsgSize", "99999999999999999999", "a number of octets"},
           {"threadPerConnectionPolicy", "yes", "0 or 1"},
           {"traceLevel", "high", "a number from 0 to 40"},
           {"unixTransportPermission", "0999", "an octal number"},
           {"endPoint", "iiop://:2810", "giop:tcp:HOST:PORT"},
           {"endPoint", "giop:tcp::65536", "giop:tcp:HOST:PORT"},
           {"endPoint", "giop:tcp::5010-5000", "giop:tcp:HOST:FIRST-LAST"},
           {"endPointPublish", "here", "addr, ipv4"},
           {"serverTransportRule", "localhost tcp", "only a rule for all addresses"},
           {"sslVerifyMode", "always", "none, peer or peer,fail"}}) {
    const Translation translation = taken(*find_omniorb_setting(name), value);
    EXPECT_TRUE(translation.values.empty()) << name;
    EXPECT_NE(only(translation.problems).find(form), std::string::npos) << only(translation.problems);
    EXPECT_TRUE(only(translation.problems).starts_with("here: '")) << only(translation.problems);
  }
  for (const auto& [name, value, form] : std::vector<std::array<std::string_view, 3>>{
           {"Concurrency", "thread-pool", "reactive or thread-per-connection"},
           {"TransportMuxStrategy", "SHARED", "EXCLUSIVE or MUXED"},
           {"NativeCharCodeSet", "KOI8-R", "UTF-8 or ISO-8859-1"},
           {"ProtocolFactory", "HTIOP_Factory", "-ORBPlugin"},
           {"SSLPrivateKey", "ASN1:key.der", "PEM:FILE"},
           {"SSLAuthenticate", "ALL", "SERVER_AND_CLIENT"},
           {"Keepalive", "yes", "0 or 1"},
           {"DebugLevel", "high", "a number"}})
    EXPECT_NE(only(taken(*find_tao_setting(name), value).problems).find(form), std::string::npos) << name;
}

TEST(OtherOrbs, OptionsThatTheErrorTextsOfOtherProgramsNameBecomeTheSame) {
  for (const ForeignOption& one : foreign_options()) {
    const Setting* const setting =
        one.orb == "TAO" ? find_tao_setting(one.name) : find_omniorb_setting(one.name);
    ASSERT_TRUE(setting) << one.name;
    if (setting->fate == Fate::translated) {
      EXPECT_EQ(setting->ours, one.ours) << one.name;
    }
  }
}

TEST(OtherOrbs, ThePageHasTheTables) {
  std::ifstream file(OTHER_ORBS_PAGE);
  std::vector<std::string> rows, wanted;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `-")) rows.push_back(line);
  for (const Table& table : tables)
    for (const Setting& setting : table.settings) wanted.push_back(row_of(setting));
  std::string all;
  for (const std::string& row : wanted) all += row + "\n";
  EXPECT_EQ(rows, wanted) << "the rows are to be\n" << all;
}

TEST(OmniorbSettings, ThatComeLaterPrevailAndListsGrow) {
  const std::string path = testing::TempDir() + "takt_omniorb_precedence.cfg";
  std::ofstream(path) << "clientCallTimeOutPeriod = 1\ngiopMaxMsgSize = 10000\nendPoint = giop:tcp::1\n"
                         "InitRef = A=corbaloc::file/A\n        = B=corbaloc::file/B\n";
  const Translation all =
      of(omniorb(),
         {{"clientCallTimeOutPeriod", "3"}, {"endPoint", "giop:tcp::3"}, {"InitRef", "A=corbaloc::word/A"}},
         {{"OMNIORB_CONFIG", path},
          {"ORBclientCallTimeOutPeriod", "2"},
          {"ORBendPoint", "giop:tcp::2"},
          {"ORBgiopMaxMsgSize", "20000"},
          {"ORBIT_SOCKETDIR", "/tmp"},
          {"ORBconfigFile", "/nowhere"}});
  std::filesystem::remove(path);
  EXPECT_EQ(all.problems, std::vector<std::string>());
  EXPECT_EQ(text_of(all.values),
            "RoundTripTimeout = 1ms; MaxRequestSize = 10000; MaxReplySize = 10000; MaxMessageSize = 10000; "
            "ListenEndpoints = "
            "iiop://:1; InitRef = "
            "A=corbaloc::file/A; "
            "InitRef = B=corbaloc::file/B; RoundTripTimeout = 2ms; ListenEndpoints = iiop://:2; "
            "MaxRequestSize = 20000; MaxReplySize = 20000; MaxMessageSize = 20000; "
            "RoundTripTimeout = 3ms; ListenEndpoints = iiop://:3; InitRef = A=corbaloc::word/A");
  EXPECT_EQ(all.values[0].origin, path + ":1");
  EXPECT_EQ(all.values[7].origin, "ORBclientCallTimeOutPeriod");
  EXPECT_EQ(all.values[12].origin, "-ORBclientCallTimeOutPeriod");
}

TEST(OmniorbSettings, ACertificateAsksForThoseOfClients) {
  const auto becomes = [](const std::vector<ForeignArgument>& arguments) {
    return text_of(omniorb().translate(arguments, {}, {{"OMNIORB_CONFIG", "/nowhere"}}).values);
  };
  EXPECT_EQ(becomes({{"sslKeyFile", "k.pem"}}),
            "TLSCertificate = k.pem; TLSClientCertificates = required; TLSUse = offered");
  EXPECT_EQ(becomes({{"sslKeyFile", "k.pem"}, {"sslVerifyMode", "none"}}),
            "TLSCertificate = k.pem; TLSServerCertificates = none; TLSClientCertificates = none; "
            "TLSUse = offered");
}

TEST(OmniorbSettings, TheHostIsUncheckedOnlyUnderAuthoritiesThatTheProgramNames) {
  const auto becomes = [](const std::vector<ForeignArgument>& arguments) {
    return text_of(omniorb().translate(arguments, {}, {{"OMNIORB_CONFIG", "/nowhere"}}).values);
  };
  EXPECT_EQ(becomes({{"sslCAFile", "a.pem"}}),
            "TLSAuthorities = a.pem; TLSHostCheck = off; TLSUse = offered");
  EXPECT_EQ(becomes({{"traceTime", "1"}}).find("TLSHostCheck"), std::string::npos);
}

TEST(OmniorbSettings, TheOrderOfAClientsRuleSaysWhetherItPrefersTls) {
  const auto becomes = [](const std::vector<ForeignArgument>& arguments) {
    return text_of(omniorb().translate(arguments, {}, {{"OMNIORB_CONFIG", "/nowhere"}}).values);
  };
  for (const char* rule : {"* ssl,tcp", "* unix,ssl,tcp", "* bidir,ssl,tcp"})
    EXPECT_EQ(becomes({{"clientTransportRule", rule}}), "TLSUse = offered") << rule;
  for (const char* rule : {"* tcp", "* unix,tcp,ssl", "* unix,tcp,bidir"})
    EXPECT_EQ(becomes({{"clientTransportRule", rule}}), "TLSUse = required") << rule;
  EXPECT_EQ(becomes({{"sslCAFile", "a.pem"}, {"clientTransportRule", "* unix,tcp,ssl"}}),
            "TLSAuthorities = a.pem; TLSUse = required; TLSHostCheck = off");
  EXPECT_EQ(becomes({{"traceTime", "1"}}), "");
}

TEST(OmniorbSettings, AreReadFromTheFileThatTheCommandLineNames) {
  const std::string one = testing::TempDir() + "takt_omniorb_one.cfg",
                    other = testing::TempDir() + "takt_omniorb_other.cfg";
  std::ofstream(one) << "traceLevel = 5\n";
  std::ofstream(other) << "traceLevel = 25\n";
  EXPECT_EQ(text_of(of(omniorb(), {{"configFile", one}}, {{"OMNIORB_CONFIG", other}}).values),
            "LogLevel = info");
  EXPECT_EQ(text_of(of(omniorb(), {}, {{"OMNIORB_CONFIG", other}}).values), "LogLevel = trace");
  // As omniORB, which says nothing of a file that is not there.
  EXPECT_EQ(text_of(of(omniorb(), {{"configFile", one + ".not"}}, {{"OMNIORB_CONFIG", other}}).values), "");
  EXPECT_EQ(
      only(of(omniorb(), {{"configFile", testing::TempDir()}}).problems).substr(0, testing::TempDir().size()),
      testing::TempDir());
  std::filesystem::remove(one);
  std::filesystem::remove(other);
}

// Each line was given to omniNames 4.2.5 with -ORBdumpConfiguration 1, which understands it so.
TEST(OmniorbFile, LinesAreUnderstoodAsOmniorbDoes) {
  const Translation all = of_file(
      "# a comment\n\n  traceLevel\t=\t10   # another\r\nInitRef = A=corbaname::h#x#y # z\n = "
      "B=corbaname::h\n"
      "giopMaxMsgSize=8192\nORBInitRef C=corbaloc::h/x\nNAMESERVICE corbaloc::h/ns");
  EXPECT_EQ(all.problems, std::vector<std::string>());
  EXPECT_EQ(text_of(all.values),
            "InitRef = A=corbaname::h#x#y; InitRef = B=corbaname::h; MaxRequestSize = 8192; MaxReplySize = "
            "8192; MaxMessageSize = "
            "8192; InitRef = "
            "C=corbaloc::h/x; "
            "InitRef = NameService=corbaloc::h/ns; LogLevel = debug");
  EXPECT_EQ(all.values.back().origin, "omniORB.cfg:3");
  EXPECT_EQ(text_of(of_file("traceLevel = 25\n = 1\n").values), "LogLevel = warning") << "the last counts";
  EXPECT_EQ(text_of(of_file("traceLevel = 1\ntraceInvocations = 1\n").values), "LogLevel = debug");
}

TEST(OmniorbFile, NamesThatNobodyKnowsAreWarnings) {
  const Translation all = of_file("nonsense = 1\ntraceTime = 1\nORBInitialHost host\n");
  EXPECT_EQ(all.problems, std::vector<std::string>());
  EXPECT_EQ(all.warnings, (std::vector<std::string>{
                              "omniORB.cfg:1: no setting 'nonsense' is known, so it has no effect",
                              "omniORB.cfg:3: no setting 'InitialHost' is known, so it has no effect"}));
  EXPECT_EQ(only(all.notes), "omniORB.cfg:2: traceTime has no effect: a line of the log has the time");
}

TEST(OmniorbFile, MistakesAreToldWithTheirLines) {
  const Translation all = of_file(
      "traceLevel\n\n= 1\ntraceLevel =\nsslKeyPassword = x\ngiopMaxMsgSize = 1\ntwo words = "
      "3\n");
  std::vector<std::string> places;
  for (const std::string& text : all.problems) places.push_back(text.substr(0, text.find(": ")));
  EXPECT_EQ(places, (std::vector<std::string>{"omniORB.cfg:1", "omniORB.cfg:3", "omniORB.cfg:4",
                                              "omniORB.cfg:5", "omniORB.cfg:6", "omniORB.cfg:7"}));
  EXPECT_TRUE(all.values.empty());
}

TEST(OmniorbFile, AMegabyteIsRead) {
  std::string text;
  while (text.size() < std::size_t{1024} * 1024) text += "# " + std::string(1000, '#') + "\n";
  const Translation all = of_file(text + "traceLevel = 5\n");
  EXPECT_EQ(text_of(all.values), "LogLevel = info");
  const Translation noise = of_file(std::string(std::size_t{1024} * 1024, 'x'));
  EXPECT_LT(only(noise.problems).size(), 200u);
  EXPECT_TRUE(of_file(std::string(std::size_t{1024} * 1024, '\0')).values.empty());
}

TEST(OmniorbSettings, EndpointsKeepHostsAndPorts) {
  const auto endpoint = [](std::string_view value) {
    return text_of(taken(*find_omniorb_setting("endPoint"), value).values);
  };
  EXPECT_EQ(endpoint("giop:tcp::"), "ListenEndpoints = iiop://:0");
  EXPECT_EQ(endpoint("giop:tcp:"), "ListenEndpoints = iiop://:0");
  EXPECT_EQ(endpoint("giop:tcp"), "ListenEndpoints = iiop://:0");
  EXPECT_EQ(endpoint("giop:tcp:192.0.2.7"), "ListenEndpoints = iiop://192.0.2.7:0");
  EXPECT_EQ(endpoint("giop:tcp:[::1]:2810"), "ListenEndpoints = iiop://[::1]:2810");
  EXPECT_EQ(endpoint("giop:ssl::2810"), "ListenEndpoints = ssliop://:2810");
  EXPECT_EQ(endpoint("giop:unix:/run/shop"), "ListenEndpoints = unix:/run/shop");
  EXPECT_EQ(endpoint("giop:unix"), "ListenEndpoints = unix:");
  EXPECT_EQ(text_of(of_file("unixTransportDirectory = /run/x\nendPoint = giop:unix:shop\n").values),
            "ListenEndpoints = unix:/run/x/shop");
}

TEST(OmniorbSettings, OfPublishingNamesAndEndpointsCount) {
  const auto published = [](std::string_view value) {
    return text_of(taken(*find_omniorb_setting("endPointPublish"), value).values);
  };
  EXPECT_EQ(published("addr"), "PublishedEndpoints = own");
  EXPECT_EQ(published("all(addr)"), "PublishedEndpoints = own");
  EXPECT_EQ(published("giop:tcp:shop:1-2"), "");
  EXPECT_TRUE(published("hostname").starts_with("PublishedEndpoints = iiop://"));
  EXPECT_TRUE(published("name|addr").ends_with(":0"));
  EXPECT_EQ(published("addr\t,\tgiop:tcp:shop:1"),
            "PublishedEndpoints = own; PublishedEndpoints = iiop://shop:1");
  EXPECT_EQ(
      published("addr, giop:tcp:shop:1,giop:ssl:shop:2"),
      "PublishedEndpoints = own; PublishedEndpoints = iiop://shop:1; PublishedEndpoints = ssliop://shop:2");
}

// Each was given to a server of omniORB 4.2.5, whose references have these addresses.
TEST(OmniorbSettings, OfEndpointsThatAreOnlyListenedAtOrOnlyPublished) {
  EXPECT_EQ(text_of(of_file("endPointNoListen = giop:tcp:outside:99\nendPointPublish = addr\n").values),
            "PublishedEndpoints = own; PublishedEndpoints = iiop://outside:99");
  EXPECT_EQ(text_of(of_file("endPoint = giop:tcp:h:1-3\nendPointNoPublish = giop:unix:/run/x\n").values),
            "ListenEndpoints = iiop://h:1-3; ListenEndpoints = unix:/run/x?publish=none");
  for (const char* wrong :
       {"giop:tcp:h:3-1", "giop:tcp:h:0-1", "giop:tcp:h:1-65536", "giop:tcp:h:-", "giop:tcp:h:1-2-3"})
    EXPECT_EQ(taken(*find_omniorb_setting("endPoint"), wrong).problems.size(), 1u) << wrong;
}

TEST(TaoSettings, EndpointsAreTakenApart) {
  EXPECT_EQ(endpoints("iiop://"), "ListenEndpoints = iiop://:0");
  EXPECT_EQ(endpoints("iiop://:2810"), "ListenEndpoints = iiop://:2810");
  EXPECT_EQ(endpoints("iiop://host"), "ListenEndpoints = iiop://host:0");
  EXPECT_EQ(endpoints("iiop://host:"), "ListenEndpoints = iiop://host:0");
  EXPECT_EQ(endpoints("iiop://[::1]:1"), "ListenEndpoints = iiop://[::1]:1");
  EXPECT_EQ(endpoints("iiop://1.1@:1234"), "GIOPVersion = 1.1; ListenEndpoints = iiop://:1234");
  EXPECT_EQ(endpoints("iiop://:2810/hostname_in_ior=x&reuse_addr=1"),
            "ListenEndpoints = iiop://:2810?publish=x");
  EXPECT_EQ(endpoints("iiop:///hostname_in_ior=x"), "ListenEndpoints = iiop://:0?publish=x");
  EXPECT_EQ(
      endpoints("iiop://:2810/hostname_in_ior=x,:2811/portspan=2;uiop:///tmp/a"),
      "ListenEndpoints = iiop://:2810?publish=x; ListenEndpoints = iiop://:2811-2812; ListenEndpoints = "
      "unix:/tmp/a");
  EXPECT_EQ(endpoints("iiop://:0/portspan=2"), "ListenEndpoints = iiop://:0");
  EXPECT_EQ(endpoints("iiop://h:1/ssl_port=2&hostname_in_ior=x"),
            "ListenEndpoints = iiop://h:1?publish=x; ListenEndpoints = ssliop://h:2?publish=x");
  EXPECT_EQ(endpoints("uiop:///tmp/a|reuse_addr=1;uiop://"),
            "ListenEndpoints = unix:/tmp/a; ListenEndpoints = unix:");
  EXPECT_EQ(endpoints("shmiop://10002;diop://:5"), "ListenEndpoints = shm:; ListenEndpoints = udp://:5");
  // Takt's own endpoints.
  EXPECT_EQ(endpoints("iiop://a:1,unix:/run/x,ssliop://b:2"),
            "ListenEndpoints = iiop://a:1; ListenEndpoints = unix:/run/x; ListenEndpoints = ssliop://b:2");
  for (const char* wrong : {"", "host:1", "htiop://x", "iiop://a:1/priority=40000", "iiop://a:1/portspan=0",
                            "iiop://a:65535/portspan=2", "iiop://a:1/priority=", "iiop://a/hostname_in_ior=",
                            "iiop://a/x=y", ";", ",iiop://a"})
    EXPECT_NE(endpoints(wrong).find("is not valid for ListenEndpoints: it takes"), std::string::npos)
        << wrong;
}

TEST(TaoSettings, AreOfTheCommandLineTheFileAndVariables) {
  const std::string path = testing::TempDir() + "takt_svc.conf";
  std::ofstream(path) << "static Server_Strategy_Factory \"-ORBConcurrency reactive\"\n";
  const Translation all =
      of(tao(),
         {{"svcconf", path},
          {"SvcConfDirective", "static Server_Strategy_Factory '-ORBConcurrency thread-per-connection'"},
          {"InitRef", "NameService=corbaloc::word/NameService"},
          {"debuglevel", "1"}},
         {{"NameServiceIOR", "corbaloc::variable/NameService"}});
  std::filesystem::remove(path);
  EXPECT_EQ(all.problems, std::vector<std::string>());
  EXPECT_EQ(text_of(all.values),
            "InitRef = NameService=corbaloc::variable/NameService; ServerConcurrency = reactive; "
            "ServerConcurrency = "
            "thread-per-connection; InitRef = NameService=corbaloc::word/NameService; LogLevel = info");
  EXPECT_EQ(all.values[1].origin, path + ":1");
  EXPECT_EQ(all.values[2].origin, "-ORBSvcConfDirective");
  EXPECT_EQ(only(of(tao(), {{"SvcConf", path}}).problems),
            path + ": cannot be read, No such file or directory");
  EXPECT_EQ(only(of(tao(), {{"Endpoint", std::nullopt}}).problems), "-ORBEndpoint: it lacks its value");
}

TEST(SvcConf, TheLoaderOfRealTimeHasPriorities) {
  const auto becomes = [](const std::string& parameters) {
    const Translation all = of_svc_conf("static RT_ORB_Loader \"" + parameters + "\"");
    EXPECT_EQ(all.problems, std::vector<std::string>());
    EXPECT_EQ(all.warnings, std::vector<std::string>());
    return text_of(all.values);
  };
  EXPECT_EQ(becomes("-ORBSchedPolicy SCHED_FIFO -ORBScopePolicy SYSTEM -ORBPriorityMapping continuous"),
            "SchedulingClass = fifo; PriorityMapping = continuous");
  EXPECT_EQ(becomes("-RTORBNetworkPriorityMapping linear -RTORBDynamicThreadIdleTimeout 5000"), "");
}

TEST(TaoSettings, RealTimePrioritiesAreTheSystemsUnlessSettingsSayOtherwise) {
  const auto becomes = [](const char* parameters) {
    return text_of(of(tao(), {{"IgnoreDefaultSvcConfFile", std::nullopt},
                              {"SvcConfDirective", std::string("static RT_ORB_Loader '") + parameters + "'"}})
                       .values);
  };
  EXPECT_EQ(becomes("-ORBSchedPolicy SCHED_RR"), "SchedulingClass = round-robin; PriorityMapping = direct");
  EXPECT_EQ(becomes("-ORBSchedPolicy SCHED_OTHER"), "SchedulingClass = other");
  EXPECT_EQ(becomes("-ORBPriorityMapping linear -ORBSchedPolicy SCHED_FIFO"),
            "PriorityMapping = linear; SchedulingClass = fifo");
  EXPECT_EQ(becomes("-ORBSchedPolicy SCHED_FIFO -ORBSchedPolicy SCHED_OTHER"),
            "SchedulingClass = fifo; SchedulingClass = other");
  EXPECT_EQ(becomes("-ORBSchedPolicy SCHED_OTHER -ORBSchedPolicy SCHED_RR"),
            "SchedulingClass = other; SchedulingClass = round-robin; PriorityMapping = direct");
}

TEST(SvcConf, DirectivesMayHaveSeveralLines) {
  const Translation all = of_svc_conf(
      "# strategies\nstatic Client_Strategy_Factory\n  \"-ORBTransportMuxStrategy MUXED\n   -orbprofilelock "
      "null\"\n"
      "dynamic Advanced_Resource_Factory Service_Object * TAO_Strategies:_make_TAO_Advanced_Resource_Factory "
      "() "
      "'-ORBNativeCharCodeSet UTF-8'\ndynamic Own Service_Object * own:_make_Own() \"-p 1\"\nsuspend Own\n"
      "dynamic SSLIOP_Factory Service_Object * TAO_SSLIOP:_make_TAO_SSLIOP_Protocol_Factory() "
      "\"-SSLNoProtection -SSLCertificate 'PEM:a b.pem'\"\n");
  EXPECT_EQ(all.problems, std::vector<std::string>());
  EXPECT_EQ(all.warnings, std::vector<std::string>());
  EXPECT_EQ(
      text_of(all.values),
      "ClientConnections = multiplexed; CharCodeSet = UTF-8; TLSPlainToo = on; TLSCertificate = a b.pem");
  EXPECT_EQ(all.values[0].origin, "svc.conf:3");
  EXPECT_EQ(all.values[1].origin, "svc.conf:5");
  EXPECT_EQ(all.notes, (std::vector<std::string>{
                           "svc.conf:3: ProfileLock has no effect: Takt's locks cannot be chosen",
                           "svc.conf:6: dynamic 'Own' has no effect: Takt loads no code of svc.conf",
                           "svc.conf:7: suspend 'Own' has no effect: Takt loads no code of svc.conf"}));
}

TEST(SvcConf, MistakesAreToldWithTheirLines) {
  const auto problem = [](std::string_view text) { return only(of_svc_conf(text).problems); };
  EXPECT_TRUE(problem("\nstatik Resource_Factory\n").starts_with("svc.conf:2: 'statik' begins no directive"));
  EXPECT_TRUE(
      problem("\n\nstatic Resource_Factory \"-ORBx\n").starts_with("svc.conf:3: a text has no quote"));
  EXPECT_TRUE(problem("static").starts_with("svc.conf:1: a directive names a service"));
  EXPECT_TRUE(problem("static static X").starts_with("svc.conf:1: a directive names a service"));
  EXPECT_TRUE(problem("<?xml version='1.0'?>").starts_with("svc.conf:1: settings in XML are not read"));
  EXPECT_TRUE(problem("\"text\"").starts_with("svc.conf:1: 'text' begins no directive"));
  EXPECT_EQ(problem("static Server_Strategy_Factory \"-ORBConcurrency\""),
            "svc.conf:1: -ORBConcurrency lacks its value");
  EXPECT_EQ(only(of_svc_conf("static Resource_Factory \"-ORBNew 1 -ORBReactorType tp word\"").warnings),
            "2 texts");
  EXPECT_EQ(problem("static Server_Strategy_Factory\n\"-ORBConcurrency pool\""),
            "svc.conf:2: 'pool' is not valid for Concurrency: it takes reactive or thread-per-connection");
}

TEST(SvcConf, AMegabyteIsRead) {
  const std::size_t megabyte = std::size_t{1024} * 1024;
  EXPECT_EQ(text_of(of_svc_conf(std::string(megabyte, '\n') +
                                "static Server_Strategy_Factory \"-ORBConcurrency reactive\"")
                        .values),
            "ServerConcurrency = reactive");
  EXPECT_LT(only(of_svc_conf(std::string(megabyte, 'x')).problems).size(), 300u);
  EXPECT_LT(only(of_svc_conf(std::string(megabyte, '"')).problems).size(), 300u);
  std::string many;
  while (many.size() < megabyte) many += "static X \"\"\n";
  EXPECT_TRUE(of_svc_conf(many).problems.empty());
  EXPECT_TRUE(of_svc_conf(std::string(megabyte, '\0')).values.empty());
}

TEST(SvcConf, WordsAreInQuotesOrNot) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_in(" -a b  'c d' \"\" e'f g'h "), (Words{"-a", "b", "c d", "", "ef gh"}));
  EXPECT_EQ(words_in(""), Words());
  EXPECT_EQ(words_in("'open"), Words{"open"});
}

}  // namespace takt::orb::others
