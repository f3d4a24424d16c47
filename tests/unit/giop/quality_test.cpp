#include <algorithm>

#include "giop/contexts/quality.h"

#include <gtest/gtest.h>

#include "giop/known_contexts.h"

namespace takt::giop {
namespace {

using namespace std::chrono_literals;

std::optional<WireQuality> read(const std::vector<std::uint8_t>& data) {
  std::vector<std::uint8_t> octets{0x03, 0x4b, 0x41, 0x54, static_cast<std::uint8_t>(data.size()), 0, 0, 0};
  octets.insert(octets.end(), data.begin(), data.end());
  return known_contexts(ServiceContexts(1, octets, cdr::ByteOrder::little)).quality;
}

const std::vector<std::uint8_t> little{1, 3, 40, 0, 7, 0,    0,    0,    0x80, 0xf0, 0xfa, 0x02,
                                       0, 0, 0,  0, 0, 0x2d, 0x31, 0x01, 0,    0,    0,    0};
const std::vector<std::uint8_t> big{0,    3,    0,    40,   0, 0, 0, 7, 0,    0,    0,    0,
                                    0x02, 0xfa, 0xf0, 0x80, 0, 0, 0, 0, 0x01, 0x31, 0x2d, 0};
const WireQuality known{
    .communication_class = 3, .priority = 40, .importance = 7, .period = 50ms, .remaining = 20ms};

TEST(QualityContext, IsReadInEitherByteOrder) {
  EXPECT_EQ(read(little), known);
  EXPECT_EQ(read(big), known);
}

TEST(QualityContext, IsWrittenAsDocumented) {
  const QualityContextData written(known);
  const ByteView data = written.octets();
  const auto& expected = cdr::native_order == cdr::ByteOrder::little ? little : big;
  EXPECT_TRUE(std::equal(data.begin(), data.end(), expected.begin(), expected.end()));
}

TEST(QualityContext, WhatIsWrittenIsRead) {
  for (const WireQuality& quality :
       {WireQuality{}, known, WireQuality{.remaining = 0ns},
        WireQuality{.priority = 32767, .importance = ~0u},
        WireQuality{.remaining = 20ms, .begin_within = 10ms}, WireQuality{.begin_within = 0ns}}) {
    const QualityContextData written(quality);
    const ByteView data = written.octets();
    EXPECT_EQ(read({data.begin(), data.end()}), quality);
  }
}

TEST(QualityContext, ADeadlineThatHasPassedHasNoTimeLeft) {
  const QualityContextData written(WireQuality{.remaining = -5ms});
  const ByteView data = written.octets();
  EXPECT_EQ(read({data.begin(), data.end()})->remaining, 0ns);
}

TEST(QualityContext, WhatIsNoneIsPassedOver) {
  EXPECT_FALSE(known_contexts(ServiceContexts()).quality);
  for (std::size_t size = 0; size < little.size(); ++size)
    EXPECT_FALSE(read({little.begin(), little.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  auto of_no_order = little;
  of_no_order[0] = 2;
  EXPECT_FALSE(read(of_no_order));
}

TEST(QualityContext, LaterVersionsMaySayMore) {
  auto longer = little;
  longer.insert(longer.end(), {1, 2, 3});
  EXPECT_EQ(read(longer), known);
}

TEST(QualityContext, WhateverTheOctetsTheValuesAreInRange) {
  const auto quality =
      read(std::vector<std::uint8_t>{1,   255, 0,   0x80, 255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255,  0,   0,   0,   0,   0,   0,   0,   0x80});
  ASSERT_TRUE(quality);
  EXPECT_EQ(quality->communication_class, 0);
  EXPECT_EQ(quality->priority, -1);
  EXPECT_EQ(quality->period, 0ns);
  EXPECT_EQ(quality->remaining, WireQuality::no_deadline);
}

}  // namespace
}  // namespace takt::giop
