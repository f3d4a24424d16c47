// The code sets that we do not convert by ourselves.
#include <iconv.h>

#include <array>

#include "cdr/text/utf.h"

namespace takt::cdr {

namespace {

const char* iconv_name(CodeSetId id) {
  switch (static_cast<std::uint32_t>(id)) {
    case 0x05010001:
      return "UTF-8";
    case 0x00010001:
      return "ISO-8859-1";
    case 0x00010002:
      return "ISO-8859-2";
    case 0x00010003:
      return "ISO-8859-3";
    case 0x00010004:
      return "ISO-8859-4";
    case 0x00010005:
      return "ISO-8859-5";
    case 0x00010006:
      return "ISO-8859-6";
    case 0x00010007:
      return "ISO-8859-7";
    case 0x00010008:
      return "ISO-8859-8";
    case 0x00010009:
      return "ISO-8859-9";
    case 0x0001000a:
      return "ISO-8859-10";
    case 0x0001000f:
      return "ISO-8859-15";
    case 0x00010020:
      return "ASCII";
    default:
      return nullptr;
  }
}

}  // namespace

bool can_convert(const CodeSets& sets) {
  const bool wide =
      sets.wide == CodeSetId::none || sets.wide == CodeSetId::utf_16 || sets.wide == CodeSetId::ucs_2;
  return wide && (sets.narrow == CodeSetId::none || iconv_name(sets.narrow));
}

bool convert_with_iconv(std::string_view octets, CodeSetId from, CodeSetId to, std::string& converted) {
  const char *from_name = iconv_name(from), *to_name = iconv_name(to);
  if (!from_name || !to_name) return false;
  const iconv_t conversion = iconv_open(to_name, from_name);
  if (conversion == reinterpret_cast<iconv_t>(-1)) return false;
  std::string input(octets);
  char* in = input.data();
  std::size_t left = input.size();
  bool good = true;
  while (left && good) {
    std::array<char, 256> chunk;
    char* out = chunk.data();
    std::size_t room = chunk.size();
    const std::size_t result = iconv(conversion, &in, &left, &out, &room);
    converted.append(chunk.data(), chunk.size() - room);
    good = result != static_cast<std::size_t>(-1) || room < chunk.size();
  }
  iconv_close(conversion);
  return good;
}

}  // namespace takt::cdr
