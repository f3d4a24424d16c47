// Text in any negotiable code set, and the negotiation itself.
#include <takt/cdr/code_sets.h>

#include "cdr_input.h"

namespace {

using namespace takt;
using cdr::CodeSetId;

constexpr CodeSetId narrow[] = {CodeSetId::iso_8859_1,
                                CodeSetId::utf_8,
                                CodeSetId::iso_646,
                                static_cast<CodeSetId>(0x0001000f),
                                static_cast<CodeSetId>(0x00010007),
                                static_cast<CodeSetId>(0x12345678)};
constexpr CodeSetId wide[] = {CodeSetId::utf_16, CodeSetId::ucs_2, static_cast<CodeSetId>(0x00010104)};

CodeSetId id_of(cdr::Decoder& in) {
  const std::uint8_t choice = in.get_u8();
  if (choice < std::size(narrow)) return narrow[choice];
  if (choice < 16) return wide[choice % std::size(wide)];
  return static_cast<CodeSetId>(in.get_u32());
}

cdr::CodeSetComponent component_of(cdr::Decoder& in) {
  cdr::CodeSetComponent component{id_of(in), {}};
  for (std::uint8_t count = in.get_u8() % 8; count > 0; --count) component.conversion.push_back(id_of(in));
  return component;
}

bool has(const cdr::CodeSetComponent& component, CodeSetId id) {
  return component.native == id || std::ranges::find(component.conversion, id) != component.conversion.end();
}

void negotiate(ByteView octets) {
  cdr::Decoder in(octets);
  cdr::CodeSetComponentInfo client, server;
  client.narrow = component_of(in);
  client.wide = component_of(in);
  server.narrow = component_of(in);
  server.wide = component_of(in);
  const auto chosen = cdr::negotiate(client, server);
  if (!chosen) return;
  const bool fallback = chosen->narrow == CodeSetId::utf_8 || chosen->narrow == CodeSetId::none;
  fuzz::require(fallback || (has(client.narrow, chosen->narrow) && has(server.narrow, chosen->narrow)));
}

template <class T>
void check(cdr::Decoder& in, const cdr::Format& format) {
  T text{};
  if (!cdr::read(in, text)) return;
  const fuzz::Octets said = fuzz::encoded(text, format);
  cdr::Decoder back(said, 0, format);
  T again{};
  fuzz::require(cdr::read(back, again) && again == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const ByteView octets(data + 4, size - 4);
  if (data[3] % 5 == 4) {
    negotiate(octets);
    return 0;
  }
  const cdr::CodeSets sets{narrow[data[1] % std::size(narrow)], wide[data[2] % std::size(wide)]};
  cdr::Format format = fuzz::format_of(data[0]);
  format.code_sets = &sets;
  cdr::Decoder in(octets, 0, format);
  while (in.ok() && in.remaining() != 0) {
    const std::size_t before = in.remaining();
    if (data[3] % 5 == 0) check<std::string>(in, format);
    if (data[3] % 5 == 1) check<std::wstring>(in, format);
    if (data[3] % 5 == 2) check<char>(in, format);
    if (data[3] % 5 == 3) check<wchar_t>(in, format);
    if (in.remaining() >= before) break;
  }
  return 0;
}
