#include "reference/target.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <tuple>

#include "../rooms/rooms.h"
#include "client/candidates.h"
#include "giop/references/profile.h"
#include "reference/object_ref.h"
#include "tls/tls_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::reference {
namespace {

const std::uint8_t key[] = {'k', 'e', 'y'};

std::shared_ptr<References> make_core(std::vector<transport::Endpoint> endpoints,
                                      const giop::ProtocolOptions& protocol = {}) {
  const auto rooms = rooms::Rooms::make();
  rooms->protocol = protocol;
  auto core = rooms->references.shared();
  core->code_sets = std::make_shared<cdr::CodeSetComponentInfo>(cdr::native_code_sets());
  core->transports.add(std::make_unique<transport::TcpTransport>());
  core->transports.add(std::make_unique<transport::UdsTransport>());
  core->transports.add(std::make_unique<transport::TlsTransport>(transport::TlsOptions()));
  core->options.tls.supports = core->options.tls.requires_ = giop::association::integrity;
  core->own_endpoints.publish(std::move(endpoints));
  return core;
}

TEST(Target, AllPublishedAddressesAreTriedInTheirOrder) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}, {"iiop", "2001:db8::1", 1001}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  auto client = make_core({});
  const auto target = client->from_ior(ior)->target();
  ASSERT_EQ(target->routes.size(), 1u);
  const ServerRoute& route = *target->routes[0].server;
  ASSERT_EQ(route.addresses.size(), 2u);
  EXPECT_EQ(route.addresses[0].endpoint, (transport::Endpoint{"iiop", "192.0.2.1", 1000}));
  EXPECT_EQ(route.addresses[1].endpoint, (transport::Endpoint{"iiop", "2001:db8::1", 1001}));
  EXPECT_EQ(route.code_sets.narrow, cdr::CodeSetId::utf_8);
  EXPECT_EQ(route.code_sets.wide, cdr::CodeSetId::utf_16);
}

TEST(Target, HostsWithControlCharactersAreNotCalledNorShown) {
  auto server = make_core({{"iiop", "192.0.2.1\x1b[31m", 1000}, {"iiop", "192.0.2.2", 1001}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  const auto target = make_core({})->from_ior(ior)->target();
  ASSERT_EQ(target->routes[0].server->addresses.size(), 1u);
  EXPECT_EQ(target->routes[0].server->addresses[0].endpoint.host, "192.0.2.2");
}

// The format of requests to a server whose reference names an ORB, if `type` is not 0.
cdr::Format format_for(std::uint32_t type, const giop::Dialect& dialect = {}) {
  giop::ProtocolOptions protocol;
  protocol.dialect = dialect;
  auto client = make_core({}, protocol);
  giop::IiopProfile profile;
  profile.version = {1, 2};
  profile.host = "192.0.2.1";
  profile.port = 1000;
  if (type != 0) profile.components = {giop::make_orb_type_component(type)};
  return client->from_ior({"IDL:X:1.0", {giop::write_iiop_profile(profile)}})
      ->target()
      ->routes[0]
      .server->format;
}

TEST(Target, LongDoublesAndValuesHaveTheFormOfTheOrbThatTheReferenceNames) {
  using enum cdr::LongDoubleForm;
  for (const std::uint32_t type : {giop::tao_orb_type, giop::omniorb_orb_type})
    EXPECT_EQ(format_for(type).long_double, x87) << type;
  for (const std::uint32_t type : {0u, giop::takt_orb_type, 0x4a414300u})
    EXPECT_EQ(format_for(type).long_double, ieee) << type;
  EXPECT_EQ(format_for(giop::tao_orb_type).values, cdr::ValueForm::tao);
  for (const std::uint32_t type : {0u, giop::takt_orb_type, giop::omniorb_orb_type})
    EXPECT_NE(format_for(type).values, cdr::ValueForm::tao) << type;
}

TEST(Target, TheirFormsMayBeThoseOfAnOption) {
  const giop::Dialect standard{giop::LongDoubles::ieee, giop::ValueForms::standard, {}};
  const giop::Dialect tao{giop::LongDoubles::x87, giop::ValueForms::tao, {}};
  for (const std::uint32_t type : {0u, giop::tao_orb_type}) {
    EXPECT_EQ(format_for(type, standard).long_double, cdr::LongDoubleForm::ieee);
    EXPECT_EQ(format_for(type, standard).values, cdr::ValueForm::standard);
    EXPECT_EQ(format_for(type, tao).long_double, cdr::LongDoubleForm::x87);
    EXPECT_EQ(format_for(type, tao).values, cdr::ValueForm::tao);
  }
}

TEST(Target, WithoutNegotiationTheCodeSetsAreThoseThatTheOrbAssumes) {
  giop::ProtocolOptions protocol;
  protocol.dialect.assumed = {cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16_of_message};
  auto client = make_core({}, protocol);
  giop::IiopProfile profile;
  profile.host = "192.0.2.1";
  profile.port = 1000;
  for (const std::uint8_t minor : {0, 1, 2}) {
    profile.version = {1, minor};
    const auto target = client->from_ior({"IDL:X:1.0", {giop::write_iiop_profile(profile)}})->target();
    const ServerRoute& route = *target->routes[0].server;
    EXPECT_EQ(route.code_sets, protocol.dialect.assumed);
    EXPECT_TRUE(route.code_set_context.empty()) << "they are told to nobody";
    EXPECT_EQ(*route.format.code_sets, protocol.dialect.assumed);
  }
  auto server = make_core({{"iiop", "192.0.2.1", 1000}});
  const auto target = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior())->target();
  EXPECT_EQ(target->routes[0].server->code_sets,
            (cdr::CodeSets{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16}));
}

TEST(Target, OurOwnObjectsAreKnownWhenTheirReferencesComeBack) {
  auto core = make_core({{"iiop", "127.0.0.1", 1000}});
  const auto ior = core->make_reference("IDL:X:1.0", key)->ior();
  const auto back = core->from_ior(ior);
  EXPECT_EQ(back->local_key().size(), 3u);
}

// Two machines with Docker both have 172.17.0.1.
TEST(Target, AReferenceOfAnotherMachineIsNotOursThoughSomeOfItsAddressesAre) {
  for (const char* const protocol : {"iiop", "ssliop"}) {
    auto here = make_core({{protocol, "192.0.2.1", 2809}, {protocol, "172.17.0.1", 2809}});
    auto there = make_core({{protocol, "192.0.2.2", 2809}, {protocol, "172.17.0.1", 2809}});
    const auto theirs = there->make_reference("IDL:X:1.0", key)->ior();
    EXPECT_TRUE(here->from_ior(theirs)->local_key().empty()) << protocol;
    EXPECT_EQ(there->from_ior(theirs)->local_key().size(), 3u) << protocol;
    EXPECT_EQ(here->from_ior(here->make_reference("IDL:X:1.0", key)->ior())->local_key().size(), 3u)
        << protocol;
  }
}

TEST(Target, AReferenceStaysOursThoughOneOfItsLaterAddressesIsGone) {
  auto before = make_core({{"iiop", "192.0.2.1", 2809}, {"iiop", "198.51.100.1", 2809}});
  auto now = make_core({{"iiop", "192.0.2.1", 2809}});
  EXPECT_EQ(now->from_ior(before->make_reference("IDL:X:1.0", key)->ior())->local_key().size(), 3u);
}

TEST(Target, ThreadsShareTheConnectionsOfAChoiceHoweverLongItsSettingsAre) {
  auto core = make_core({});
  Route::Address address{};
  address.connection_id = 1;
  ProtocolChoice one, other;
  one.streams.settings = std::string(5000, 'x');
  other.streams.settings = *one.streams.settings + 'y';
  const auto id = client::with_choice(client::client_of(*core), address, one).connection_id;
  EXPECT_EQ(client::with_choice(client::client_of(*core), address, one).connection_id, id);
  EXPECT_NE(client::with_choice(client::client_of(*core), address, other).connection_id, id);
}

std::vector<std::string> candidate_texts(References& client, const cdr::Ior& ior,
                                         const ProtocolChoices* choices = nullptr) {
  std::vector<std::string> ways;
  const auto target = make_target(client, ior);
  for (const client::Candidate& way : client::candidates_of(*target, choices))
    ways.push_back(to_text(way.address->endpoint));
  return ways;
}

const std::string tcp_way = "iiop 192.0.2.1:1000", path_way = "unix /run/x";

TEST(Target, EachTransportHasAProfileInTheServersOrder) {
  const transport::Endpoint tcp{"iiop", "192.0.2.1", 1000}, path{"unix", "/run/x", 0};
  auto client = make_core({});
  for (const bool path_first : {false, true}) {
    auto server = make_core(path_first ? std::vector{path, tcp} : std::vector{tcp, path});
    const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
    EXPECT_EQ(ior.profiles.size(), 2u);
    EXPECT_EQ(candidate_texts(*client, ior),
              path_first ? (std::vector{path_way, tcp_way}) : (std::vector{tcp_way, path_way}));
    EXPECT_FALSE(server->from_ior(ior)->local_key().empty());
  }
}

TEST(Target, APathOfAnotherMachineIsNoWay) {
  auto server = make_core({{"unix", "/run/x", 0}, {"iiop", "192.0.2.1", 1000}});
  server->here.host = "another";
  auto client = make_core({});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  EXPECT_EQ(candidate_texts(*client, ior), std::vector{tcp_way});
}

TEST(Target, APathThatOmniOrbPublishesGoesBeforeTheAddress) {
  auto client = make_core({});
  giop::IiopProfile profile;
  profile.version = {1, 2};
  profile.host = "192.0.2.1";
  profile.port = 1000;
  profile.components = {giop::make_unix_path_component({client->here.host, "/run/x"}),
                        giop::make_unix_path_component({"another", "/run/y"})};
  const cdr::Ior ior{"IDL:X:1.0", {giop::write_iiop_profile(profile)}};
  EXPECT_EQ(candidate_texts(*client, ior), (std::vector{path_way, tcp_way}));
}

TEST(Target, ChoicesOfProtocolsGoBeforeTheServersOrder) {
  auto server = make_core({{"unix", "/run/x", 0}, {"iiop", "192.0.2.1", 1000}});
  auto client = make_core({});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  const ProtocolChoices tcp_first{{0, {}}, {giop::unix_profile, {}}}, tcp{{0, {}}}, none{{77, {}}};
  EXPECT_EQ(candidate_texts(*client, ior, &tcp_first), (std::vector{tcp_way, path_way}));
  EXPECT_EQ(candidate_texts(*client, ior, &tcp), std::vector{tcp_way});
  EXPECT_TRUE(candidate_texts(*client, ior, &none).empty());
}

TEST(Target, LiteIsAWayWhereTheProfileSaysSo) {
  auto server = make_core({{"unix", "/run/x", 0}, {"iiop", "192.0.2.1", 1000}});
  auto client = make_core({});
  const auto plain = server->make_reference("IDL:X:1.0", key)->ior();
  server->own_endpoints.add({{"unix", "/run/x", 0}}, giop::Messaging::lite);
  const auto speaks = server->make_reference("IDL:X:1.0", key)->ior();
  constexpr auto lite = giop::Messaging::lite;
  const ProtocolChoices only_lite{{0, {}, lite}, {giop::unix_profile, {}, lite}},
      rather_lite{{giop::unix_profile, {}, lite}, {0}, {giop::unix_profile}};
  EXPECT_TRUE(candidate_texts(*client, plain, &only_lite).empty());
  EXPECT_EQ(candidate_texts(*client, plain, &rather_lite), (std::vector{tcp_way, path_way}));
  EXPECT_EQ(candidate_texts(*client, speaks, &only_lite), std::vector{path_way});
  EXPECT_EQ(candidate_texts(*client, speaks, &rather_lite), (std::vector{path_way, tcp_way, path_way}));
  const auto target = make_target(*client, speaks);
  EXPECT_TRUE(client::candidates_of(*target, &only_lite).front().lite_only);
  EXPECT_FALSE(client::candidates_of(*target, &rather_lite).front().lite_only);
  giop::ProtocolOptions fragmenting;
  fragmenting.fragment_bytes = 4096;
  auto in_fragments = make_core({}, fragmenting);
  EXPECT_TRUE(candidate_texts(*in_fragments, speaks, &only_lite).empty()) << "which it could not speak";
}

// A transport as in a plug-in.
class Smoke final : public transport::Transport {
 public:
  std::string_view name() const override { return "smoke"; }
  transport::ProfileForm profile_form() const override { return {.tag = 0x736d6f6b, .has_port = true}; }
  transport::EndpointResult parse(std::string_view address) const override {
    return transport::Endpoint{"smoke", std::string(address), 7};
  }
  bool is_definite(const transport::Endpoint&) const override { return true; }
  transport::Endpoint beside(const transport::Endpoint& configured) const override { return configured; }
  transport::ListenResult listen(const transport::Endpoint&, const transport::ListenOptions&) override {
    return std::unexpected(transport::ListenError{ENOTSUP, "no fire"});
  }
  transport::ConnectResult connect(const transport::Endpoint&, os::TimePoint,
                                   const transport::StreamOptions&) override {
    return std::unexpected(
        transport::ConnectError{transport::ConnectError::Phase::connect, ENOTSUP, "no fire"});
  }
};

TEST(Target, ATransportThatIsPluggedInHasProfilesOfItsOwn) {
  const transport::Endpoint tcp{"iiop", "192.0.2.1", 1000}, hill{"smoke", "hill", 7};
  auto server = make_core({hill, tcp});
  server->transports.add(std::make_unique<Smoke>());
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  ASSERT_EQ(ior.profiles.size(), 2u);
  EXPECT_EQ(ior.profiles[0].tag, 0x736d6f6bu);
  auto client = make_core({});
  EXPECT_EQ(candidate_texts(*client, ior), std::vector{tcp_way});  // does not know it, and keeps it
  EXPECT_EQ(client->from_ior(ior)->ior(), ior);
  client->transports.add(std::make_unique<Smoke>());
  EXPECT_EQ(candidate_texts(*client, ior), (std::vector<std::string>{"smoke hill:7", tcp_way}));
  const auto stream = client::client_of(*client).connect(hill, os::no_deadline, {});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().text, "no fire");
}

TEST(Target, ConnectionsWithOptionsOfTheirOwnAreNotShared) {
  auto client = make_core({});
  auto server = make_core({{"iiop", "127.0.0.1", 1000}});
  const auto target = make_target(*client, server->make_reference("IDL:X:1.0", key)->ior());
  const Route::Address& plain = target->routes.at(0).server->addresses.at(0);
  ProtocolChoice small, large, lite{.messaging = giop::Messaging::lite};
  small.streams.send_buffer_bytes = 4096;
  large.streams.send_buffer_bytes = 65536;
  const auto one = client::with_choice(client::client_of(*client), plain, small),
             same = client::with_choice(client::client_of(*client), plain, small);
  EXPECT_EQ(one.streams.send_buffer_bytes, 4096);
  EXPECT_EQ(one.connection_id, same.connection_id);
  EXPECT_NE(one.connection_id, plain.connection_id);
  EXPECT_NE(one.connection_id, client::with_choice(client::client_of(*client), plain, large).connection_id);
  const auto short_heads = client::with_choice(client::client_of(*client), plain, lite);
  EXPECT_EQ(short_heads.messaging, giop::Messaging::lite);
  EXPECT_NE(short_heads.connection_id, plain.connection_id);
  EXPECT_TRUE(client::changes_connections(plain, lite));
  EXPECT_FALSE(client::changes_connections(short_heads, lite));
  EXPECT_FALSE(client::changes_connections(plain, {.messaging = giop::Messaging::giop}));
}

TEST(Target, RoutesToOneAddressShareAConnection) {
  auto server = make_core({{"iiop", "127.0.0.1", 1000}});
  auto client = make_core({});
  const std::uint8_t other[] = {9};
  const auto a = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior())->target();
  const auto b = client->from_ior(server->make_reference("IDL:Y:1.0", other)->ior())->target();
  EXPECT_EQ(a->routes[0].server->addresses[0].connection_id, b->routes[0].server->addresses[0].connection_id);
}

TEST(Target, WhatReferencesSayOfAServerIsKeptOnce) {
  auto server = make_core({{"iiop", "127.0.0.1", 1000}});
  auto elsewhere = make_core({{"iiop", "127.0.0.1", 1001}});
  auto client = make_core({});
  const std::uint8_t other[] = {9};
  const auto a = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior())->target();
  const auto b = client->from_ior(server->make_reference("IDL:Y:1.0", other)->ior())->target();
  const auto c = client->from_ior(elsewhere->make_reference("IDL:X:1.0", key)->ior())->target();
  EXPECT_EQ(a->routes[0].server, b->routes[0].server);
  EXPECT_NE(a->routes[0].server, c->routes[0].server);
  Agreement agreed;
  agreed.giop_minor = 1;
  const auto d = make_target(*client, a->ior, {}, &agreed);
  EXPECT_NE(a->routes[0].server, d->routes[0].server);
  EXPECT_EQ(d->routes[0].server->giop_minor, 1);
}

TEST(Target, PlacesHoldForServersThatAreKnownToOthers) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}, {"iiop", "192.0.2.2", 1000}});
  auto client = make_core({});
  const auto anywhere = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior())->target();
  ASSERT_EQ(anywhere->routes[0].server->addresses.size(), 2u);
  const auto places = std::make_shared<EndpointFilter>();
  const Agreement agreed{.code_sets = {}, .places = places};
  EXPECT_TRUE(make_target(*client, anywhere->ior, {}, &agreed)->routes.empty());
  places->add({"iiop", "192.0.2.2", 1000});
  const auto listed = make_target(*client, anywhere->ior, {}, &agreed);
  ASSERT_EQ(listed->routes.size(), 1u);
  ASSERT_EQ(listed->routes[0].server->addresses.size(), 1u);
  EXPECT_EQ(listed->routes[0].server->addresses[0].endpoint.host, "192.0.2.2");
  EXPECT_EQ(client->from_ior(anywhere->ior)->target()->routes[0].server, anywhere->routes[0].server);
}

TEST(Target, ServersAreForgottenWhenNoReferenceLeadsThere) {
  auto client = make_core({});
  for (std::uint16_t port = 1; port <= 1000; ++port) {
    const auto server = make_core({{"iiop", "127.0.0.1", port}});
    client->from_ior(server->make_reference("IDL:X:1.0", key)->ior());
  }
  EXPECT_LE(client->server_routes.size(), 64u);
}

TEST(Target, WhatIsLongerThanAnyServersIsNotRemembered) {
  auto client = make_core({});
  const auto server = make_core({{"iiop", std::string(ServerRoutes::longest_bytes, 'x'), 1}});
  const auto ref = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior());
  EXPECT_EQ(ref->target()->routes.size(), 1u);
  EXPECT_EQ(client->server_routes.size(), 0u);
  EXPECT_EQ(client->connection_ids.size(), 0u);
}

TEST(Target, AnObjectIsOursThoughItsServerWasKnownBefore) {
  auto server = make_core({{"iiop", "127.0.0.1", 1000}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  auto core = make_core({});
  const auto before = core->from_ior(ior);
  EXPECT_TRUE(before->local_key().empty());
  core->own_endpoints.publish({{"iiop", "127.0.0.1", 1000}});
  EXPECT_EQ(core->from_ior(ior)->local_key().size(), 3u);
}

TEST(Target, AReferenceWithoutAUsableProfileIsKeptAndHasNoRoute) {
  auto core = make_core({});
  const cdr::Ior ior{"IDL:X:1.0", {{12345, {1, 2, 3}}}};
  const auto ref = core->from_ior(ior);
  EXPECT_TRUE(ref->target()->routes.empty());
  EXPECT_EQ(ref->ior(), ior);
}

TEST(ObjectRef, AForwardMovesTheGenerationOnAndCanBeUndone) {
  auto core = make_core({{"iiop", "127.0.0.1", 1000}});
  auto ref = core->from_ior(core->make_reference("IDL:X:1.0", key)->ior());
  const auto before = ref->generation();
  EXPECT_FALSE(ref->restore(*ref->target()));
  ref->redirect(make_target(*core, {"IDL:X:1.0", {}}));
  EXPECT_NE(ref->generation(), before);
  EXPECT_TRUE(ref->target()->routes.empty());
  const auto failed = ref->target();
  EXPECT_TRUE(ref->restore(*failed));
  EXPECT_TRUE(ref->restore(*failed))
      << "another thread has found out, too: calls go to another target already";
  EXPECT_EQ(ref->target()->routes.size(), 1u);
}

const std::string tls_way = "ssliop 192.0.2.1:2000";

std::vector<std::string> ways_where(TlsUse::When when, const cdr::Ior& ior) {
  auto client = make_core({});
  client->options.tls.when = when;
  return candidate_texts(*client, ior);
}

TEST(Target, TlsBesideTcpIsInOneProfileAndTheClientChooses) {
  using When = TlsUse::When;
  using Ways = std::vector<std::string>;
  auto server = make_core({{"iiop", "192.0.2.1", 1000}, {"ssliop", "192.0.2.1", 2000}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  ASSERT_EQ(ior.profiles.size(), 1u);
  EXPECT_EQ(ways_where(When::required, ior), Ways{tcp_way});
  EXPECT_EQ(ways_where(When::offered, ior), Ways{tls_way});
  EXPECT_EQ(ways_where(When::always, ior), Ways{tls_way});
}

TEST(Target, NoCallFallsBackFromTlsToTcpAtAnotherHost) {
  using When = TlsUse::When;
  using Ways = std::vector<std::string>;
  const std::string tcp = "iiop 192.0.2.2:1000";
  auto server = make_core({{"ssliop", "192.0.2.1", 2000}, {"iiop", "192.0.2.2", 1000}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  ASSERT_EQ(ior.profiles.size(), 2u);
  EXPECT_EQ(ways_where(When::required, ior), (Ways{tcp, tls_way}));
  EXPECT_EQ(ways_where(When::offered, ior), Ways{tls_way});
  EXPECT_EQ(ways_where(When::always, ior), Ways{tls_way});
  const cdr::Ior turned{ior.type_id, {ior.profiles[1], ior.profiles[0]}};
  EXPECT_EQ(ways_where(When::required, turned), (Ways{tcp, tls_way}));
  EXPECT_EQ(ways_where(When::offered, turned), Ways{tls_way});
}

TEST(Target, WhereTlsIsAllThereIsTheProfilesOwnPortIsNone) {
  auto server = make_core({{"ssliop", "192.0.2.1", 2000}, {"ssliop", "192.0.2.2", 2001}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  ASSERT_EQ(ior.profiles.size(), 2u);
  EXPECT_EQ(giop::read_iiop_profile(ior.profiles.front())->port, 0);
  for (const auto when : {TlsUse::When::required, TlsUse::When::always})
    EXPECT_EQ(ways_where(when, ior), (std::vector<std::string>{tls_way, "ssliop 192.0.2.2:2001"}));
  EXPECT_EQ(server->from_ior(ior)->local_key().size(), 3u);
}

TEST(Target, LanesByTlsAreChosenWhereThereIsNothingElse) {
  auto server = make_core({{"ssliop", "192.0.2.1", 2000}});
  Publication where;
  where.lanes = {{0, {{"ssliop", "192.0.2.1", 2001}}}, {40, {{"ssliop", "192.0.2.1", 2002}}}};
  const auto ior = server->make_reference("IDL:X:1.0", key, &where)->ior();
  auto client = make_core({});
  const auto target = make_target(*client, ior);
  ASSERT_EQ(target->routes.size(), 1u);
  const ServerRoute& route = *target->routes.front().server;
  EXPECT_TRUE(route.by_priority);
  ASSERT_EQ(route.addresses.size(), 2u);
  for (const auto& [address, lane, port] :
       {std::tuple(route.addresses[0], 0, 2001), std::tuple(route.addresses[1], 40, 2002)}) {
    EXPECT_EQ(address.endpoint,
              (transport::Endpoint{"ssliop", "192.0.2.1", static_cast<std::uint16_t>(port)}));
    EXPECT_EQ(address.serves,
              (giop::PriorityBand{static_cast<giop::Priority>(lane), static_cast<giop::Priority>(lane)}));
  }
}

TEST(Target, WithoutTlsAServerIsNoneForThoseWhoAlwaysWantIt) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}});
  EXPECT_TRUE(ways_where(TlsUse::When::always, server->make_reference("IDL:X:1.0", key)->ior()).empty());
}

TEST(Target, ASecureComponentThatIsBrokenOrWithoutPortDoesNotCount) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}});
  auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  for (const giop::TaggedComponent& component : {giop::make_secure_transport_component({6, 6, 0}),
                                                 giop::TaggedComponent{giop::ssl_component, {0, 1, 2}}}) {
    auto profile = *giop::read_iiop_profile(ior.profiles.front());
    profile.components.push_back(component);
    cdr::Ior with = ior;
    with.profiles.front() = giop::write_iiop_profile(profile);
    EXPECT_EQ(ways_where(TlsUse::When::offered, with), std::vector{tcp_way});
  }
}

TEST(Target, ARequirementOfTheServersIsObeyedThoughThereIsAPlainPort) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}});
  auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  auto profile = *giop::read_iiop_profile(ior.profiles.front());
  profile.components.push_back(giop::make_secure_transport_component({102, 6, 2000}));
  ior.profiles.front() = giop::write_iiop_profile(profile);
  EXPECT_EQ(ways_where(TlsUse::When::required, ior), std::vector{tls_way});
}

giop::IiopProfile profile_at(std::uint16_t port) {
  giop::IiopProfile profile;
  profile.version = {1, 2};
  profile.host = "192.0.2.1";
  profile.port = port;
  profile.object_key.assign(std::begin(key), std::end(key));
  return profile;
}

TEST(Target, NoMoreRoutesOfAReferenceAreMadeThanTheLimit) {
  cdr::Ior ior{"IDL:X:1.0", {}};
  for (std::uint16_t port = 1; port <= 2000; ++port)
    ior.profiles.push_back(giop::write_iiop_profile(profile_at(port)));
  EXPECT_EQ(make_core({})->from_ior(ior)->target()->routes.size(), 32u);
}

// Every address for every band: a megabyte of both would take seconds.
TEST(Target, BandsAndAddressesOfAProfileAreBounded) {
  auto profile = profile_at(1);
  for (std::uint16_t port = 1; port <= 2000; ++port)
    profile.components.push_back(giop::make_alternate_address_component({"192.0.2.2", port}));
  giop::PriorityPolicies policies;
  policies.model = giop::PriorityPolicies::Model::client_propagated;
  for (giop::Priority band = 0; band < 2000; ++band) policies.bands.push_back({band, band});
  profile.components.push_back(giop::make_policies_component(policies));
  cdr::Ior ior{"IDL:X:1.0", {giop::write_iiop_profile(profile)}};
  const auto target = make_core({})->from_ior(ior)->target();
  ASSERT_EQ(target->routes.size(), 1u);
  const ServerRoute& route = *target->routes[0].server;
  EXPECT_EQ(route.addresses.size(), giop::max_addresses);
  EXPECT_EQ(route.priorities->bands.size(), 64u);
  EXPECT_EQ(profile.addresses().size(), giop::max_addresses);
}

// A route to a server with these bands, and an address for each of `served`.
ServerRoute banded_route(giop::PriorityPolicies policies, const std::vector<giop::PriorityBand>& served) {
  ServerRoute route;
  route.propagates_priority = policies.model == giop::PriorityPolicies::Model::client_propagated;
  route.priorities = std::move(policies);
  for (const auto& band : served) route.addresses.emplace_back().serves = band;
  return route;
}
constexpr auto propagated = giop::PriorityPolicies::Model::client_propagated,
               declared = giop::PriorityPolicies::Model::server_declared;
using Band = giop::PriorityBand;

TEST(Bands, OneHoldsThePriorityOfACallAlsoIfTheServerDeclaresIt) {
  const std::vector<Band> bands{{0, 10}, {11, 99}};
  for (const auto& served : {bands, {{10, 10}, {40, 40}}}) {
    for (const auto model : {propagated, declared}) {
      const auto route = banded_route({model, 40, bands}, served);
      EXPECT_EQ(route.band_for(std::nullopt), served[1]) << "the policy's priority";
      EXPECT_EQ(route.band_for(giop::Priority{5}), served[model == declared]);
      EXPECT_EQ(route.band_for(giop::Priority{60}), served[1]);
    }
  }
}

TEST(Bands, LanesOfABandAreChosenByPriorityAsWithoutBands) {
  const auto route = banded_route({propagated, 40, {{0, 10}, {11, 99}}}, {{5, 5}, {20, 20}, {40, 40}});
  EXPECT_EQ(route.band_for(giop::Priority{40}), (Band{40, 40}));
  EXPECT_EQ(route.band_for(giop::Priority{39}), (Band{20, 20}));
  EXPECT_EQ(route.band_for(giop::Priority{15}), (Band{20, 20})) << "none below it in its band";
  EXPECT_EQ(route.band_for(giop::Priority{3}), (Band{5, 5}));
  EXPECT_EQ(route.band_for(std::nullopt), (Band{40, 40}));
}

TEST(Bands, BandsThatOverlapKeepTheirOwnConnections) {
  const auto route = banded_route({propagated, 3, {{0, 10}, {5, 7}}}, {{0, 10}, {5, 7}});
  EXPECT_EQ(route.band_for(giop::Priority{9}), (Band{0, 10}));
  EXPECT_EQ(route.band_for(giop::Priority{6}), (Band{0, 10}));
}

TEST(Bands, AServerWhoseBandsDoNotHoldItsPriorityIsOnlyReachedWithoutOne) {
  const auto route = banded_route({propagated, 3, {{5, 9}, {20, 30}}}, {{5, 9}, {20, 30}});
  EXPECT_EQ(route.band_for(std::nullopt), (Band{5, 9}));
  EXPECT_EQ(route.band_for(giop::Priority{10}), std::nullopt);
}

}  // namespace
}  // namespace takt::reference
