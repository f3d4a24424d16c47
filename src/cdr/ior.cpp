#include <takt/cdr/ior.h>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

void write_ior(Encoder& encoder, const Ior& ior) {
  encoder.put_raw_string(ior.type_id);
  encoder.put_count(ior.profiles.size());
  for (const TaggedProfile& profile : ior.profiles) {
    encoder.put(profile.tag);
    encoder.put_count(profile.data.size());
    encoder.buffer().append(profile.data.data(), profile.data.size());
  }
}

bool read_ior(Decoder& decoder, Ior& ior) {
  decoder.get_raw_string(ior.type_id);
  std::uint32_t count;
  decoder.get_count(count, 8);
  ior.profiles.clear();
  for (std::uint32_t i = 0; i < count && decoder.ok(); ++i) {
    TaggedProfile profile;
    std::uint32_t size;
    decoder.get(profile.tag);
    if (!decoder.get_count(size, 1)) return false;
    const ByteView data = decoder.get_octets_view(size);
    if (!decoder.charge(sizeof profile + data.size())) return false;
    profile.data.assign(data.begin(), data.end());
    ior.profiles.push_back(std::move(profile));
  }
  return decoder.ok();
}

}  // namespace takt::cdr
