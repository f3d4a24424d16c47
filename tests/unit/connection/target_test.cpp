#include "connection/target.h"

#include <gtest/gtest.h>

#include "connection/object_ref.h"
#include "connection/orb_core.h"

namespace takt::connection {
namespace {

const std::uint8_t key[] = {'k', 'e', 'y'};

std::shared_ptr<OrbCore> make_core(std::vector<transport::Endpoint> endpoints) {
  auto core = std::make_shared<OrbCore>();
  core->code_sets = std::make_shared<cdr::CodeSetComponentInfo>(cdr::native_code_sets());
  core->publish(std::move(endpoints));
  return core;
}

TEST(Target, AllPublishedAddressesAreTriedInTheirOrder) {
  auto server = make_core({{"iiop", "192.0.2.1", 1000}, {"iiop", "2001:db8::1", 1001}});
  const auto ior = server->make_reference("IDL:X:1.0", key)->ior();
  auto client = make_core({});
  const auto target = client->from_ior(ior)->target();
  ASSERT_EQ(target->routes.size(), 1u);
  const Route& route = target->routes[0];
  ASSERT_EQ(route.addresses.size(), 2u);
  EXPECT_EQ(route.addresses[0].endpoint, (transport::Endpoint{"iiop", "192.0.2.1", 1000}));
  EXPECT_EQ(route.addresses[1].endpoint, (transport::Endpoint{"iiop", "2001:db8::1", 1001}));
  EXPECT_FALSE(route.local);
  EXPECT_EQ(route.code_sets.narrow, cdr::CodeSetId::utf_8);
  EXPECT_EQ(route.code_sets.wide, cdr::CodeSetId::utf_16);
}

TEST(Target, OurOwnObjectsAreKnownWhenTheirReferencesComeBack) {
  auto core = make_core({{"iiop", "127.0.0.1", 1000}});
  const auto ior = core->make_reference("IDL:X:1.0", key)->ior();
  const auto back = core->from_ior(ior);
  EXPECT_EQ(back->local_key().size(), 3u);
}

TEST(Target, RoutesToOneAddressShareAConnection) {
  auto server = make_core({{"iiop", "127.0.0.1", 1000}});
  auto client = make_core({});
  const std::uint8_t other[] = {9};
  const auto a = client->from_ior(server->make_reference("IDL:X:1.0", key)->ior())->target();
  const auto b = client->from_ior(server->make_reference("IDL:Y:1.0", other)->ior())->target();
  EXPECT_EQ(a->routes[0].addresses[0].connection_id, b->routes[0].addresses[0].connection_id);
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
  EXPECT_FALSE(ref->restore());
  ref->redirect(make_target(*core, {"IDL:X:1.0", {}}));
  EXPECT_NE(ref->generation(), before);
  EXPECT_TRUE(ref->target()->routes.empty());
  EXPECT_TRUE(ref->restore());
  EXPECT_EQ(ref->target()->routes.size(), 1u);
}

}  // namespace
}  // namespace takt::connection
