// Sends and receives values and references without a connection.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "round_trip.h"

namespace mapping_test {

inline constexpr takt::cdr::ByteOrder both_orders[] = {takt::cdr::ByteOrder::big,
                                                       takt::cdr::ByteOrder::little};

// The receiver's environment: factories that a test registers, and an ORB for objects.
class Receiver final : public takt::cdr::Environment {
 public:
  void add(const std::string& id, std::shared_ptr<CORBA::ValueFactoryBase> factory) {
    factories_[id] = std::move(factory);
  }
  static const IDL::traits<CORBA::ORB>::ref_type& orb() {
    static int none = 0;
    static const auto made = CORBA::ORB_init(none, nullptr, "receiver");
    return made;
  }

  std::shared_ptr<CORBA::Object> object_from_ior(takt::cdr::Ior&& ior) override {
    takt::GatherBuffer buffer;
    takt::cdr::Format format;
    format.order = takt::cdr::ByteOrder::big;
    takt::cdr::Encoder encoder(buffer, format);
    encoder.put(false);  // the byte order, first octet of an encapsulation
    takt::cdr::write_ior(encoder, ior);
    std::string text = "IOR:";
    for (std::size_t i = 0; i < buffer.owned_size(); ++i)
      for (const int digit : {buffer.owned()[i] >> 4, buffer.owned()[i] & 15})
        text += "0123456789abcdef"[digit];
    return orb()->string_to_object(text).shared();
  }
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view id) override {
    const auto found = factories_.find(id);
    return found == factories_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, std::shared_ptr<CORBA::ValueFactoryBase>, std::less<>> factories_;
};

template <class T>
bool decoded(const std::vector<std::uint8_t>& octets, takt::cdr::ByteOrder order, Receiver& receiver,
             T& value) {
  auto format = format_of(order);
  format.environment = &receiver;
  takt::cdr::Decoder decoder(octets, 0, format);
  return takt::cdr::read(decoder, value) && decoder.remaining() == 0;
}

// The result of sending the value.
template <class T>
T sent(const T& value, takt::cdr::ByteOrder order, Receiver receiver = {}) {
  T read{};
  EXPECT_TRUE(decoded(encoded(value, order), order, receiver, read));
  return read;
}

}  // namespace mapping_test
