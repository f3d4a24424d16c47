// The words of other devices: an entry of a flow specification up to a zero, and a quality of service behind
// it; or, behind an octet of 1, messages of SFP with an octet of length before each.
#include <algorithm>
#include <string>
#include <string_view>

#include <takt/cdr/any.h>
#include <takt/cdr/codec.h>

#include "cdr_input.h"
#include "streams/model/flow_entry.h"
#include "streams/model/quality.h"
#include "streams/sfp/assembly.h"

namespace {

using namespace takt::streams;
using takt::fuzz::require;

constexpr std::size_t most_bytes = 1024;

// A text that was written is read as what was written.
void check(const FlowEntry& entry) {
  for (const bool forward : {true, false}) {
    const auto written = [forward](const FlowEntry& from) {
      return forward ? forward_text(from) : reverse_text(from);
    };
    const std::string text = written(entry);
    const auto again = forward ? parse_forward(text, 2 * most_bytes) : parse_reverse(text, 2 * most_bytes);
    require(again.has_value());
    require(again->name == entry.name && again->direction == entry.direction);
    require(again->format == entry.format && again->carrier.name == entry.carrier.name);
    require(again->carrier.host == entry.carrier.host && again->carrier.port == entry.carrier.port);
    require(written(*again) == text);
  }
}

void take_messages(takt::ByteView data) {
  const sfp::Assembly::Limits limits{.frame_bytes = 500, .frames = 4, .bytes = 1500};
  sfp::Assembly assembly(limits);
  while (!data.empty()) {
    const std::size_t size = std::min<std::size_t>(data[0], data.size() - 1);
    const auto message = sfp::parse(data.subspan(1, size));
    data = data.subspan(1 + size);
    if (!message) continue;
    require(message->payload.size() <= size);
    const auto frame = assembly.take(*message);
    require(!frame || (!frame->octets.empty() && frame->octets.size() <= limits.frame_bytes));
    require(assembly.kept() <= limits.frames && assembly.bytes() <= limits.bytes);
  }
  require(assembly.kept() != 0 || assembly.bytes() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size != 0 && data[0] == 1) {
    take_messages(takt::ByteView(data, size).subspan(1));
    return 0;
  }
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\0'));
  if (const auto entry = parse_forward(text, most_bytes)) check(*entry);
  if (const auto entry = parse_reverse(text, most_bytes)) check(*entry);
  takt::cdr::Format format = takt::cdr::any_format();
  format.order = takt::cdr::ByteOrder::little;
  takt::cdr::Decoder decoder(takt::ByteView(data, size).subspan(std::min(text.size() + 1, size)), 0, format);
  AVStreams::streamQoS quality;
  if (!takt::cdr::read(decoder, quality) || !decoder.ok() || excess_in(quality, Limits())) return 0;
  const QualityBounds bounds{.frame_rate = 30, .frame_octets = 1000, .priority = 99};
  const auto granted = negotiate(quality, name_in(text), bounds);
  if (!granted) return 0;
  require(granted->granted.frame_rate <= bounds.frame_rate);
  require(granted->granted.frame_octets <= bounds.frame_octets);
  const auto again = negotiate(quality, name_in(text), bounds);
  require(again && again->met && again->granted.frame_rate == granted->granted.frame_rate);
  return 0;
}
