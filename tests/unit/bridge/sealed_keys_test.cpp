// Keys that contain references.
#include "bridge/sealed_keys.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace takt::bridge {
namespace {

const cdr::Ior reference{"IDL:M/Thing:1.0", {{0, {0, 1, 2, 3}}, {77, {}}, {0x54414f00, {9, 9}}}};
constexpr SealedKeys::Secret secret = {1, 2, 3};

TEST(SealedKeysOfABridge, GiveBackWhatTheyHold) {
  const SealedKeys keys(secret);
  for (const Side side : {Side::inside, Side::outside}) {
    const auto opened = keys.open(keys.seal(reference, side));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->side, side);
    EXPECT_EQ(opened->reference, reference);
  }
}

TEST(SealedKeysOfABridge, AreTheSameForTheSame) {
  const SealedKeys keys(secret), others(secret);
  EXPECT_EQ(keys.seal(reference, Side::inside), others.seal(reference, Side::inside));
  EXPECT_NE(keys.seal(reference, Side::inside), keys.seal(reference, Side::outside));
}

TEST(SealedKeysOfABridge, DoNotOpenOnceAnOctetIsAnother) {
  const SealedKeys keys(secret);
  const auto key = keys.seal(reference, Side::inside);
  for (std::size_t i = 0; i < key.size(); ++i)
    for (const std::uint8_t change : {1, 128, 'i' ^ 'o'}) {
      auto changed = key;
      changed[i] ^= change;
      EXPECT_FALSE(keys.open(changed)) << i;
    }
  for (std::size_t size = 0; size < key.size(); ++size) EXPECT_FALSE(keys.open(ByteView(key).first(size)));
}

TEST(SealedKeysOfABridge, OpenWithTheirSecretOnly) {
  const auto key = SealedKeys(secret).seal(reference, Side::inside);
  EXPECT_FALSE(SealedKeys(SealedKeys::random_secret()).open(key));
  EXPECT_FALSE(SealedKeys(SealedKeys::derived_secret(secret)).open(key));
  EXPECT_EQ(SealedKeys::derived_secret(secret), SealedKeys::derived_secret(secret));
}

TEST(SealedKeysOfABridge, ShowNothing) {
  const auto key = SealedKeys(secret).seal(reference, Side::inside);
  EXPECT_TRUE(std::ranges::search(key, reference.type_id).empty());
}

}  // namespace
}  // namespace takt::bridge
