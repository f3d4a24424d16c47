// Keys with a MAC.
#include <gtest/gtest.h>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

namespace {

constexpr KeySeal::Secret secret = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// An ORB that seals its keys from the start.
struct SealedAdapters : Adapters {
  explicit SealedAdapters(const KeySeal& seal) : Adapters(false) {
    core->adapter.tree().keys.seal_with(std::make_unique<const KeySeal>(seal));
    root->the_POAManager()->activate();
  }
  Reference activate(std::uint32_t number) { return root->servant_to_reference(number_servant(number)); }
  CORBA::object_reference<POA> persistent() {
    return child("p", {root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                       root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
  }
};

}  // namespace

// The first two published test vectors of SipHash's authors, for a 64-bit tag.
TEST(KeySeals, AreSipHash) {
  const KeySeal seal(secret, true);
  EXPECT_EQ(seal.tag_of({}), (KeySeal::Tag{0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72}));
  const std::uint8_t zero[] = {0};
  EXPECT_EQ(seal.tag_of(zero), (KeySeal::Tag{0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74}));
  EXPECT_TRUE(seal.fits(seal.tag_of(zero), zero));
  EXPECT_FALSE(seal.fits(seal.tag_of({}), zero));
}

TEST(SealedKeys, LeadToTheirServants) {
  SealedAdapters orb(KeySeal::with_random_secret());
  const auto first = orb.activate(1), second = orb.activate(2);
  EXPECT_EQ(orb.call(first).value, 1u);
  EXPECT_EQ(orb.call(second).value, 2u);
  EXPECT_EQ(orb.root->reference_to_id(first).size(), 8u);
  EXPECT_EQ(orb.core->adapter.locate(key_of(first)).status, reference::LocateAnswer::Status::here);
}

TEST(SealedKeys, ThatSomebodyHasChangedDoNotExist) {
  SealedAdapters orb(KeySeal::with_random_secret());
  const auto key = key_of(orb.activate(1));
  for (std::size_t i = 0; i < key.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      auto forged = key;
      forged[i] ^= static_cast<std::uint8_t>(1 << bit);
      EXPECT_TRUE(orb.call(forged).is("OBJECT_NOT_EXIST")) << i;
    }
  for (std::size_t size = 0; size < key.size(); ++size)
    EXPECT_TRUE(orb.call(ByteView(key).first(size)).is("OBJECT_NOT_EXIST")) << size;
  auto longer = key;
  longer.push_back(0);
  EXPECT_TRUE(orb.call(longer).is("OBJECT_NOT_EXIST"));
}

TEST(SealedKeys, AreNotToBeHadWithoutTheSecret) {
  Adapters plain;
  SealedAdapters sealed(KeySeal(secret, true)), other(KeySeal::with_random_secret());
  const auto open_key = key_of(plain.root->servant_to_reference(number_servant(1)));
  const auto sealed_key = key_of(sealed.activate(1));
  EXPECT_TRUE(plain.call(sealed_key).is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(sealed.call(open_key).is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(other.call(sealed_key).is("OBJECT_NOT_EXIST"));
  const ByteView inner = ByteView(sealed_key).subspan(12);
  EXPECT_TRUE(sealed.call(inner).is("OBJECT_NOT_EXIST")) << "the key without its seal";
}

TEST(SealedKeys, OfPersistentObjectsNeedASecretThatLasts) {
  SealedAdapters fleeting(KeySeal::with_random_secret());
  EXPECT_THROW(fleeting.persistent(), CORBA::BAD_PARAM);
  ObjectId key;
  {
    SealedAdapters before(KeySeal(secret, true));
    const auto poa = before.persistent();
    poa->activate_object_with_id(string_to_ObjectId("it"), number_servant(1));
    key = key_of(poa->id_to_reference(string_to_ObjectId("it")));
    EXPECT_EQ(before.call(key).value, 1u);
  }
  SealedAdapters after(KeySeal(secret, true));
  after.persistent()->activate_object_with_id(string_to_ObjectId("it"), number_servant(2));
  EXPECT_EQ(after.call(key).value, 2u);
}

}  // namespace takt::adapter
