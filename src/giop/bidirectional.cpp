#include "giop/bidirectional.h"

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::giop {

std::vector<std::uint8_t> write_listen_points(std::span<const HostPort> points) {
  const auto some = points.first(std::min(points.size(), max_listen_points));
  return cdr::encapsulate([&](cdr::Encoder& encoder) {
    encoder.put_count(some.size());
    for (const HostPort& point : some) {
      encoder.put_raw_string(point.host);
      encoder.put(point.port);
    }
  });
}

std::optional<std::vector<HostPort>> read_listen_points(ByteView data) {
  constexpr std::size_t least_bytes = 7;  // minimum size of a point: a count, a NUL, a port
  std::vector<HostPort> points;
  const bool readable = cdr::decapsulate(data, [&](cdr::Decoder& decoder) {
    std::uint32_t count = 0;
    decoder.get_count(count, least_bytes);
    for (std::uint32_t i = 0; i < count && decoder.ok() && points.size() < max_listen_points; ++i) {
      const auto host = decoder.get_raw_string_view();
      const std::uint16_t port = decoder.get_u16();
      if (decoder.ok() && !host.empty() && host.size() <= max_host_bytes && port != 0)
        points.push_back({std::string(host), port});
    }
  });
  if (!readable) return std::nullopt;
  return points;
}

}  // namespace takt::giop
