#include "giop/contexts/code_set_negotiation.h"

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::giop {

namespace {

using cdr::CodeSetId;

void put(cdr::Encoder& encoder, const cdr::CodeSetComponent& component) {
  encoder.put(static_cast<std::uint32_t>(component.native));
  encoder.put_count(component.conversion.size());
  for (const CodeSetId id : component.conversion) encoder.put(static_cast<std::uint32_t>(id));
}

void get(cdr::Decoder& decoder, cdr::CodeSetComponent& component) {
  std::uint32_t count = 0;
  component.native = static_cast<CodeSetId>(decoder.get_u32());
  decoder.get_count(count, sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < count; ++i)
    component.conversion.push_back(static_cast<CodeSetId>(decoder.get_u32()));
}

}  // namespace

std::vector<std::uint8_t> write_code_set_context(const cdr::CodeSets& chosen) {
  return cdr::encapsulate([&](cdr::Encoder& encoder) {
    encoder.put(static_cast<std::uint32_t>(chosen.narrow));
    encoder.put(static_cast<std::uint32_t>(chosen.wide));
  });
}

std::optional<cdr::CodeSets> read_code_set_context(ByteView data) {
  cdr::CodeSets chosen;
  const bool readable = cdr::decapsulate(data, [&](cdr::Decoder& decoder) {
    chosen.narrow = static_cast<CodeSetId>(decoder.get_u32());
    chosen.wide = static_cast<CodeSetId>(decoder.get_u32());
  });
  if (!readable) return std::nullopt;
  return chosen;
}

TaggedComponent make_code_sets_component(const cdr::CodeSetComponentInfo& info) {
  return {code_sets_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            put(encoder, info.narrow);
            put(encoder, info.wide);
          })};
}

std::optional<cdr::CodeSetComponentInfo> read_code_sets_component(const TaggedComponent& component) {
  cdr::CodeSetComponentInfo info;
  if (component.tag != code_sets_component || !cdr::decapsulate(component.data, [&](cdr::Decoder& decoder) {
        get(decoder, info.narrow);
        get(decoder, info.wide);
      }))
    return std::nullopt;
  return info;
}

}  // namespace takt::giop
