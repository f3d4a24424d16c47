// Shared objects loaded by an ORB: a transport that carries calls, and each way in which a plug-in can fail.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <future>
#include <iterator>
#include <thread>

#include <takt/orb/configuration.h>
#include <takt/orb/linked_plugin.h>

#include "../hostile/raw_peer.h"
#include "gate.h"
#include "served.h"

namespace feature {
namespace {

std::string plugin(const std::string& name) { return PLUGINS + name + ".so"; }

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Plugin, CarriesCalls) {
  const Folder folder;
  const std::string traced = plugin("traced");
  const Served served("traced://127.0.0.1:0", {"-ORBPlugin", traced + ":" + folder / "server"},
                      {"-ORBPlugin", traced + ":" + folder / "client"});
  const auto echo = served.echo_in(served.root);
  EXPECT_EQ(echo->cube(3), 27);
  const Calls::Octets octets(100000, 7);
  EXPECT_EQ(echo->echo_octets(octets), octets);
  EXPECT_NE(content(folder / "server").find("1 <- "), std::string::npos);
  const std::string client = content(folder / "client");
  EXPECT_TRUE(client.starts_with("1 -> ")) << client;
  EXPECT_NE(client.find(": 47494f5001020"), std::string::npos) << "GIOP 1.2 goes through it";
}

TEST(Plugin, IsOfTheOrbThatHasLoadedIt) {
  const std::string traced = plugin("traced");
  const Served served("traced://127.0.0.1:0", {"-ORBPlugin", traced});
  EXPECT_THROW(served.echo_in(served.root)->cube(3), CORBA::SystemException) << "the client does not have it";
  EXPECT_THROW(make_orb({"-ORBListenEndpoints", "traced://127.0.0.1:0"}, "without")
                   ->resolve_initial_references("RootPOA"),
               CORBA::SystemException);
}

TEST(Plugin, CanBeLoadedByAFile) {
  const Folder folder;
  std::ofstream(folder / "orb.toml") << "Plugin = [\"" << plugin("traced") << "\"]\n";
  const Served served("traced://127.0.0.1:0", {"-ORBConfig", folder / "orb.toml"},
                      {"-ORBConfig", folder / "orb.toml"});
  EXPECT_EQ(served.echo_in(served.root)->cube(2), 8);
}

// While calls are in progress; the added transport serves beside the first.
TEST(Plugin, IsAddedWhileTheOrbRuns) {
  const Folder folder;
  const Served served("iiop://127.0.0.1:0");
  const auto before = served.echo_in(served.root);
  std::jthread calls([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) EXPECT_EQ(before->cube(2), 8);
  });
  auto server = takt::Configuration::of(served.server), client = takt::Configuration::of(served.client);
  EXPECT_THROW(server.add("ListenEndpoints", "traced://127.0.0.1:0"), CORBA::BAD_PARAM);
  server.add("Plugin", plugin("traced") + ":" + folder / "server");
  EXPECT_EQ(server.get("Plugin").size(), 1u);
  server.add("ListenEndpoints", "traced://127.0.0.1:0");
  client.add("Plugin", plugin("traced") + ":" + folder / "client");
  const auto rt = rt_of(served.client);
  const auto text = served.ior_in(served.root);
  const auto echo =
      IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(text)->_set_policy_overrides(
          {rt->create_client_protocol_policy({RTCORBA::Protocol(0x54414b7f)})},
          CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_TRUE(content(folder / "client").starts_with("1 -> "));
  EXPECT_EQ(served.server->_published_endpoints().size(), 2u);
}

// Both ends' policies reach a transport that the ORB does not know.
TEST(Plugin, HasSettingsOfItsOwnByPolicy) {
  constexpr std::uint32_t tag = 0x54414b7f;
  const Folder folder;
  const auto traced_to = [&](const std::string& file) {
    return RTCORBA::Protocol(tag, {}, CORBA::make_reference<takt::TransportProtocolProperties>(file));
  };
  const std::string load = plugin("traced") + ":";
  const Served served("traced://127.0.0.1:0", {"-ORBPlugin", load + folder / "server"},
                      {"-ORBPlugin", load + folder / "client"});
  const auto rt = rt_of(served.client);
  const auto apart =
      served.make_poa({rt_of(served.server)->create_server_protocol_policy({traced_to(folder / "adapter")})});
  const auto echo = served.echo_in(apart);
  const auto mine = IDL::traits<Calls::Echo>::narrow(
      echo->_set_policy_overrides({rt->create_client_protocol_policy({traced_to(folder / "reference")})},
                                  CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(mine->cube(3), 27);
  EXPECT_TRUE(content(folder / "reference").starts_with("1 -> "));
  EXPECT_TRUE(content(folder / "adapter").starts_with("1 <- "));
  EXPECT_EQ(content(folder / "client"), "") << "no other connection was made";
  EXPECT_EQ(echo->cube(2), 8);
  EXPECT_TRUE(content(folder / "client").starts_with("1 -> "));

  try {
    rt->create_client_protocol_policy({traced_to(folder / "none" + "/file")});
    ADD_FAILURE();
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_NE(std::string(refused.detail()).find("traced: cannot open"), std::string::npos) << refused.what();
  }
  EXPECT_THROW(
      rt->create_client_protocol_policy({RTCORBA::Protocol(
          takt::TCP_PROTOCOL_TYPE, {}, CORBA::make_reference<takt::TransportProtocolProperties>("x"))}),
      CORBA::BAD_PARAM);
}

// The error of an ORB with the plug-in and these options.
std::string refusal(const std::string& plugin, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"-ORBPlugin", plugin});
  try {
    make_orb(options, "refused")->destroy();
  } catch (const CORBA::INITIALIZE& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

// The example plug-in is also linked with this test.
TEST(LinkedPlugin, CarriesCallsWhereItIsNamed) {
  takt::add_plugin("built_in", &takt_plugin);
  takt::add_plugin("built_in", &takt_plugin);
  const Folder folder;
  std::ofstream(folder / "orb.toml") << "Plugin = [\"built_in:" << folder / "client" << "\"]\n";
  const Served served("traced://127.0.0.1:0", {"-ORBPlugin", "built_in"},
                      {"-ORBConfig", folder / "orb.toml"});
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  EXPECT_TRUE(content(folder / "client").starts_with("1 -> "));
  EXPECT_THROW(make_orb({"-ORBListenEndpoints", "traced://127.0.0.1:0"}, "without")
                   ->resolve_initial_references("RootPOA"),
               CORBA::SystemException)
      << "an ORB has those that it names";
}

std::uint32_t failing_plugin(std::uint32_t, takt::PluginRegistry&) { throw std::runtime_error("no licence"); }

TEST(LinkedPlugin, IsRefusedAsALoadedOneIs) {
  takt::add_plugin("failing", &failing_plugin);
  EXPECT_NE(refusal("failing").find("failing: it fails: no licence"), std::string::npos)
      << refusal("failing");
  EXPECT_THROW(takt::add_plugin("failing", &takt_plugin), CORBA::BAD_PARAM) << "the name is taken";
  EXPECT_THROW(takt::add_plugin("none", nullptr), CORBA::BAD_PARAM);
  for (const char* name : {"", "a:b", "./traced.so"})
    EXPECT_THROW(takt::add_plugin(name, &takt_plugin), CORBA::BAD_PARAM) << name;
}

std::uint32_t recursive_plugin(std::uint32_t, takt::PluginRegistry&) {
  make_orb({}, "of a plug-in")->destroy();
  int none = 0;
  CORBA::ORB_init(none, nullptr, "with a plug-in");
  return takt::plugin_interface;
}

// The name of the ORB that is being made is refused, instead of waiting for itself.
TEST(LinkedPlugin, MakesOtherOrbsButNotItsOwn) {
  takt::add_plugin("recursive", &recursive_plugin);
  std::vector<std::string> options = {"test", "-ORBPlugin", "recursive"};
  std::vector<char*> argv;
  for (auto& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = 3;
  try {
    CORBA::ORB_init(argc, argv.data(), "with a plug-in")->destroy();
    ADD_FAILURE();
  } catch (const CORBA::SystemException& refused) {
    EXPECT_NE(refused.detail().find("this thread is making the ORB 'with a plug-in'"), std::string::npos)
        << refused.detail();
  }
  int one = 1;
  CORBA::ORB_init(one, argv.data(), "with a plug-in")->destroy();
}

Gate* plugin_gate = nullptr;
std::uint32_t waiting_plugin(std::uint32_t, takt::PluginRegistry&) {
  plugin_gate->wait();
  return takt::plugin_interface;
}

TEST(LinkedPlugin, ThatTakesLongDelaysNoOtherOrb) {
  takt::add_plugin("waiting", &waiting_plugin);
  Gate gate;
  plugin_gate = &gate;
  const Orb before = make_orb({}, "before");
  auto making =
      std::async(std::launch::async, [] { make_orb({"-ORBPlugin", "waiting"}, "waiting")->destroy(); });
  ASSERT_TRUE(gate.entered_by(1));
  make_orb({}, "meanwhile")->destroy();
  before->destroy();
  EXPECT_FALSE(gate.left_by(1)) << "they waited for the plug-in";
  gate.open();
  making.get();
}

// TCP with a controllable delay in listening.
class SlowTransport final : public takt::transport::Transport {
 public:
  struct Listening {
    Gate gate;
    std::atomic<std::uint16_t> port{0};
  };
  static inline Listening* listening = nullptr;

  explicit SlowTransport(Transport& tcp) : tcp_(tcp) {}
  std::string_view name() const override { return "slow"; }
  takt::transport::ProfileForm profile_form() const override { return {.tag = 0x54414b70}; }
  takt::transport::EndpointResult parse(std::string_view) const override {
    return takt::transport::Endpoint{"slow", "", 0};
  }
  bool is_definite(const takt::transport::Endpoint&) const override { return false; }
  takt::transport::Endpoint beside(const takt::transport::Endpoint& configured) const override {
    return configured;
  }
  takt::transport::ListenResult listen(const takt::transport::Endpoint&,
                                       const takt::transport::ListenOptions& options) override {
    listening->gate.wait();
    auto acceptor = tcp_.listen({"iiop", "127.0.0.1", 0}, options);
    listening->port = (*acceptor)->local_endpoint().port;
    return acceptor;
  }
  takt::transport::ConnectResult connect(const takt::transport::Endpoint& to, takt::os::TimePoint deadline,
                                         const takt::transport::StreamOptions& options) override {
    return tcp_.connect(to, deadline, options);
  }

 private:
  Transport& tcp_;
};

std::uint32_t slow_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_transport(std::make_unique<SlowTransport>(*registry.find_transport("iiop")));
  return takt::plugin_interface;
}

bool somebody_listens_at(std::uint16_t port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
  ::close(fd);
  return connected;
}

TEST(LinkedPlugin, APlaceThatIsAddedWhileTheOrbStopsIsClosedWithTheOthers) {
  takt::add_plugin("slow", &slow_plugin);
  for (const char* concurrency : server_concurrencies) {
    SlowTransport::Listening listening;
    SlowTransport::listening = &listening;
    const Orb orb = make_orb({"-ORBPlugin", "slow", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                              "-ORBServerConcurrency", concurrency},
                             "stopping");
    orb->resolve_initial_references("RootPOA");
    std::thread running([&] { orb->run(); });
    auto adding =
        std::async(std::launch::async, [&] { takt::Configuration::of(orb).add("ListenEndpoints", "slow:"); });
    EXPECT_TRUE(listening.gate.entered_by(1));
    auto stopping = std::async(std::launch::async, [&] { orb->shutdown(false); });
    std::this_thread::sleep_for(100ms);  // time to stop, unless it waits
    listening.gate.open();
    stopping.get();
    adding.get();
    running.join();
    orb->destroy();
    EXPECT_NE(listening.port, 0);
    EXPECT_FALSE(somebody_listens_at(listening.port)) << concurrency;
  }
}

struct Broken {
  std::string way() const { return *argument != 0 ? std::string("broken_") + argument : file; }

  const char* file;
  const char* argument;
  const char* says;
};
class BrokenPlugin : public testing::TestWithParam<Broken> {};

TEST_P(BrokenPlugin, KeepsTheOrbFromStarting) {
  const std::string file = plugin(GetParam().file);
  const std::string said = refusal(file + ":" + GetParam().argument);
  EXPECT_TRUE(said.starts_with("option -ORBPlugin: " + file + ": ")) << said;
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << said;
}

TEST_P(BrokenPlugin, IsRefusedByAnOrbThatRunsAndChangesNothing) {
  const auto orb = make_orb({}, "running");
  auto configuration = takt::Configuration::of(orb);
  EXPECT_THROW(configuration.add("Plugin", plugin(GetParam().file) + ":" + GetParam().argument),
               CORBA::INITIALIZE);
  EXPECT_TRUE(configuration.get("Plugin").empty());
  EXPECT_THROW(configuration.add("ListenEndpoints", "early:x"), CORBA::SystemException) << "of throws_late";
  configuration.add("Plugin", plugin("traced"));
  EXPECT_EQ(configuration.get("Plugin").size(), 1u);
  orb->destroy();
}

INSTANTIATE_TEST_SUITE_P(
    Each, BrokenPlugin,
    testing::Values(
        Broken{"broken_missing_file", "", "cannot open shared object file"},
        Broken{"broken_no_function", "", "has no function takt_plugin"},
        Broken{"broken_unresolved", "", "nobody_has_this"},
        Broken{"broken_other_interface", "", "compiled against interface 7.0, and this ORB has"},
        Broken{"broken_by_argument", "throws", "it fails: no device throws"},
        Broken{"broken_by_argument", "throws_late", "it fails: too late"},
        Broken{"broken_by_argument", "throws_number", "throws an exception that is not a std::exception"},
        Broken{"broken_by_argument", "adds_null", "registers a null transport"},
        Broken{"broken_by_argument", "name_taken", "the name 'iiop' or with the profile tag 77 already"},
        Broken{"broken_by_argument", "tag_taken", "the name 'other' or with the profile tag 0 already"},
        Broken{"broken_by_argument", "ill_named", "'a:b', is not one of lower-case letters and digits"},
        Broken{"broken_by_argument", "null_method", "registers a null method of compression"},
        Broken{"broken_by_argument", "number_of_takt",
               "number 2 of its method 'mine' is not from 128 to 255"},
        Broken{"broken_by_argument", "null_wrapper", "registers a null stream wrapper"},
        Broken{"broken_by_argument", "many_wrappers", "an ORB has at most 8 stream wrappers"},
        Broken{"broken_by_argument", "null_messaging", "registers a null messaging protocol"},
        Broken{"broken_by_argument", "messaging_taken", "the name 'mine' or with the profile tag 0 already"},
        Broken{"broken_by_argument", "method_taken", "the name 'zlib' or with the number 200 already"}),
    [](const auto& one) { return one.param.way(); });

TEST(Plugin, ThatCompressesIsNamedByAnOptionOrAPolicy) {
  EXPECT_EQ(
      refusal(plugin("runs"), {"-ORBCompressionMethods", "run"}),
      "option -ORBCompressionMethods: there is no method 'run' of compression; this ORB has zlib, runs, "
      "and plug-ins bring others");
  EXPECT_EQ(refusal(plugin("runs"), {"-ORBCompressionMethods", "runs,zlib"}), "nothing");

  const auto orb = make_orb({}, "later");
  const auto rt = rt_of(orb);
  const auto by_runs =
      CORBA::make_reference<takt::CompressedProtocolProperties>(RTCORBA::Protocol::Properties(), "runs");
  const auto policy = [&] {
    rt->create_client_protocol_policy({RTCORBA::Protocol(takt::TCP_PROTOCOL_TYPE, by_runs)});
  };
  EXPECT_THROW(policy(), CORBA::BAD_PARAM);
  takt::Configuration::of(orb).add("Plugin", plugin("runs"));
  EXPECT_NO_THROW(policy());
  orb->destroy();
}

// The protocol refuses the only kind of connection that its references offer.
TEST(Plugin, WhoseMessagingTakesNoConnectionHasTheCallSayWhy) {
  const std::vector<std::string> none{"-ORBPlugin", plugin("broken_by_argument") + ":takes_none"};
  const Served served("none://127.0.0.1:0", none, none);
  try {
    served.echo_in(served.root)->nothing();
    ADD_FAILURE();
  } catch (const CORBA::TRANSIENT& refused) {
    EXPECT_NE(std::string(refused.detail()).find("cannot connect to none iiop://127.0.0.1:"),
              std::string::npos)
        << refused.what();
    EXPECT_NE(std::string(refused.detail()).find("no key for it"), std::string::npos) << refused.what();
  }
}

// The protocol closes each connection. If the server stopped accepting after the first, the others would stay
// open.
TEST(Plugin, WhoseMessagingTakesNoConnectionDoesNotStopTheServerFromAccepting) {
  const std::vector<std::string> none{"-ORBPlugin", plugin("broken_by_argument") + ":takes_none"};
  const Served served("none://127.0.0.1:0", none, none);
  served.ior_in(served.root);
  const std::string endpoint = served.server->_published_endpoints().front();
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  for (int connection = 0; connection < 3; ++connection)
    EXPECT_TRUE(RawPeer(port).closes_within(10s)) << connection;
}

// While calls with another protocol are in progress.
TEST(Plugin, ThatBringsMessagingIsAddedWhileTheOrbRuns) {
  const Served served("iiop://127.0.0.1:0");
  const auto before = served.echo_in(served.root);
  auto server = takt::Configuration::of(served.server), client = takt::Configuration::of(served.client);
  for (auto* const one : {&server, &client}) one->add("Plugin", plugin("checked"));
  server.add("ListenEndpoints", "checked://127.0.0.1:0");
  const auto rt = rt_of(served.client);
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      served.client->string_to_object(served.ior_in(served.root))
          ->_set_policy_overrides({rt->create_client_protocol_policy({RTCORBA::Protocol(0x54414b7e)})},
                                  CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(before->cube(2), 8);
}

TEST(Plugin, IsLoadedOnceForAnOrb) {
  const std::string traced = plugin("traced");
  EXPECT_NE(refusal(traced + " " + traced).find("the name 'traced'"), std::string::npos);
}

TEST(Plugin, WhoseArgumentsAreWrongSaysSo) {
  EXPECT_NE(refusal(plugin("traced") + ":/nowhere/trace").find("cannot open /nowhere/trace"),
            std::string::npos);
  EXPECT_NE(refusal("README.md").find("README.md"), std::string::npos);
}

}  // namespace
}  // namespace feature
