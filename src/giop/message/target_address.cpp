#include "giop/message/target_address.h"

#include <takt/cdr/byte_order.h>

#include "giop/header/head_reader.h"
#include "giop/references/profile.h"

namespace takt::giop {

namespace {

template <bool Swap>
bool find_key(ByteView data, ByteView& key) {
  HeadReader<Swap> in(data.data(), data.size(), 1);
  std::uint8_t major = 0;
  std::uint8_t minor = 0;
  ByteView host;
  std::uint16_t port = 0;
  return in.u8(major) && in.u8(minor) && major == 1 && in.octets(host) && in.u16(port) && in.octets(key);
}

}  // namespace

bool object_key_of_profile(std::uint32_t tag, ByteView data, ByteView& key) {
  if (tag != internet_profile || data.empty() || data[0] > 1) return false;
  const bool native = static_cast<cdr::ByteOrder>(data[0]) == cdr::native_order;
  const bool found = native ? find_key<false>(data, key) : find_key<true>(data, key);
  if (!found) key = {};
  return found;
}

}  // namespace takt::giop
