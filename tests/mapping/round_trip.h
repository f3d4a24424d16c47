// Writes a value and reads it again.
#pragma once

#include <gtest/gtest.h>

#include <sstream>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/mapping.h>

namespace mapping_test {

inline constexpr takt::cdr::CodeSets wide_code_sets{takt::cdr::CodeSetId::utf_8,
                                                    takt::cdr::CodeSetId::utf_16};

inline takt::cdr::Format format_of(takt::cdr::ByteOrder order) {
  takt::cdr::Format format;
  format.order = order;
  format.code_sets = &wide_code_sets;
  return format;
}

template <class T>
std::vector<std::uint8_t> encoded(const T& value, takt::cdr::ByteOrder order) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, format_of(order));
  encoder.set_borrowing(false);
  takt::cdr::write(encoder, value);
  EXPECT_TRUE(encoder.ok()) << takt::cdr::to_text(encoder.error());
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

template <class T>
bool decode(const std::vector<std::uint8_t>& octets, takt::cdr::ByteOrder order, T& value) {
  takt::cdr::Decoder decoder(octets, 0, format_of(order));
  return takt::cdr::read(decoder, value) && decoder.remaining() == 0;
}

// In both byte orders, into a value that already has contents; and every shorter message must be refused.
template <class T>
void expect_round_trip(const T& value) {
  for (const auto order : {takt::cdr::ByteOrder::big, takt::cdr::ByteOrder::little}) {
    const auto octets = encoded(value, order);
    EXPECT_GE(octets.size(), takt::cdr::Codec<T>::min_size);
    T read{};
    EXPECT_TRUE(decode(octets, order, read));
    EXPECT_TRUE(read == value);
    EXPECT_TRUE(decode(octets, order, read));
    EXPECT_TRUE(read == value);
    for (std::size_t length = 0; length < octets.size(); ++length) {
      T part{};
      takt::cdr::Decoder decoder({octets.data(), length}, 0, format_of(order));
      EXPECT_FALSE(takt::cdr::read(decoder, part)) << "of " << octets.size() << " octets, " << length;
    }
  }
}

template <class T>
std::string text_of(const T& value) {
  std::ostringstream out;
  out << IDL::traits<T>::write(value);
  return out.str();
}

}  // namespace mapping_test
