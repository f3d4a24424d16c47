// Keys from peers: of arbitrary content, and plain ones.
#include <gtest/gtest.h>

#include <random>

#include "adapters.h"

namespace takt::adapter {

using reference::LocateAnswer;

TEST(Keys, OfAnyContentLeadNowhere) {
  Adapters orb;
  const auto persistent =
      orb.child("p", {orb.root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT)});
  persistent->activate_object(number_servant(1));
  const auto real = key_of(orb.root->servant_to_reference(number_servant(2)));
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    ObjectId key = round % 2 ? real : ObjectId(random() % 64);
    for (auto& octet : key)
      if (round % 2 == 0 || random() % 16 == 0) octet = static_cast<std::uint8_t>(random());
    if (round % 4 == 2 && key.size() >= 4) std::memcpy(key.data(), "TK\1P", 4);
    if (round % 5 == 0) key.resize(random() % (key.size() + 1));
    if (key.size() >= 16 && std::equal(key.begin(), key.begin() + 16, real.begin())) continue;
    EXPECT_TRUE(orb.call(key).is("OBJECT_NOT_EXIST"));
    EXPECT_EQ(orb.core->adapter.locate(key).status, LocateAnswer::Status::unknown);
  }
  EXPECT_EQ(orb.call(real).value, 2u);
}

TEST(Keys, PutTogetherOfOthersLeadNowhere) {
  Adapters orb;
  const auto poa = orb.child(
      "p", {orb.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const auto key_of_user = [&](const char* id, std::uint32_t number) {
    poa->activate_object_with_id(PortableServer::string_to_ObjectId(id), number_servant(number));
    return key_of(poa->id_to_reference(PortableServer::string_to_ObjectId(id)));
  };
  const auto a = key_of_user("a", 1), b = key_of_user("b", 2);
  const auto system = key_of(orb.root->servant_to_reference(number_servant(3)));
  ObjectId forged = a;
  std::copy_n(b.begin() + 8, 8, forged.begin() + 8);  // b's slot with a's id
  EXPECT_EQ(orb.call(forged).value, 1u) << "the id is the object's name";
  std::copy_n(system.begin() + 8, 8, forged.begin() + 8);
  EXPECT_EQ(orb.call(forged).value, 1u);
  forged = system;
  std::copy_n(a.begin() + 8, 8, forged.begin() + 8);  // a's slot in the root POA
  EXPECT_TRUE(orb.call(forged).is("OBJECT_NOT_EXIST"));
  forged = system;
  forged.push_back('x');
  EXPECT_TRUE(orb.call(forged).is("OBJECT_NOT_EXIST"));
}

TEST(Keys, AreLocated) {
  Adapters orb;
  const auto id = orb.root->activate_object(number_servant(1));
  const auto key = key_of(orb.root->id_to_reference(id));
  EXPECT_EQ(orb.core->adapter.locate(key).status, LocateAnswer::Status::here);
  orb.root->deactivate_object(id);
  EXPECT_EQ(orb.core->adapter.locate(key).status, LocateAnswer::Status::unknown);
}

TEST(Keys, PlainOnesLeadToWhatIsRegistered) {
  Adapters orb, other;
  const auto plain = bytes_of("NameService");
  EXPECT_TRUE(orb.call(plain).is("OBJECT_NOT_EXIST"));
  orb.core->adapter.resolver.aliases.set("NameService", orb.root->servant_to_reference(number_servant(3)));
  EXPECT_EQ(orb.call(plain).value, 3u);
  EXPECT_EQ(orb.core->adapter.locate(plain).status, LocateAnswer::Status::here);
  EXPECT_TRUE(orb.core->adapter.resolver.aliases.remove("NameService"));
  EXPECT_TRUE(orb.call(plain).is("OBJECT_NOT_EXIST"));

  const auto far = reference::make_stub<CORBA::Object>(
      orb.core->references.from_ior(other.root->servant_to_reference(number_servant(4))->_ref()->ior()));
  orb.core->adapter.resolver.aliases.set("Far", far);
  EXPECT_EQ(orb.call(bytes_of("Far")).status, Answer::forward);
  EXPECT_EQ(orb.core->adapter.locate(bytes_of("Far")).status, LocateAnswer::Status::forward);
  orb.core->adapter.resolver.aliases.remove("Far");
}

TEST(Keys, PathsAreReadBack) {
  const auto path = append_to_path(append_to_path("", "a"), std::string("b\0/", 3));
  const auto names = names_of_path(bytes_of(path));
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"a", std::string("b\0/", 3)}));
  EXPECT_FALSE(names_of_path(bytes_of(path.substr(1))));
}

// A key of 4 MiB could contain a million names.
TEST(Keys, PathsAreNoDeeperThanTheLimit) {
  std::string path;
  for (int depth = 0; depth < 4096; ++depth) path = append_to_path(path, "");
  EXPECT_TRUE(names_of_path(bytes_of(path)));
  EXPECT_FALSE(names_of_path(bytes_of(append_to_path(path, ""))));
}

}  // namespace takt::adapter
