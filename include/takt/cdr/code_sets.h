// Character code sets of a connection and their negotiation (CORBA 3.0.3, 13.10).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::cdr {

// Numbers from the OSF registry.
enum class CodeSetId : std::uint32_t {
  none = 0,
  iso_8859_1 = 0x00010001,
  iso_646 = 0x00010020,
  ucs_2 = 0x00010100,
  utf_16 = 0x00010109,
  utf_8 = 0x05010001,
  // Never negotiated: UTF-16 in the byte order of the message, as some ORBs send it without negotiation.
  utf_16_of_message = 0xffff0109,
};

// The transmission code sets of a connection. In the program, a string is UTF-8 and a wstring UTF-32. Without
// negotiation: ISO 8859-1 and no wide characters, unless the ORB's options say otherwise.
struct CodeSets {
  CodeSetId narrow = CodeSetId::iso_8859_1;
  CodeSetId wide = CodeSetId::none;
  friend bool operator==(const CodeSets&, const CodeSets&) = default;
};

inline constexpr CodeSets default_code_sets{};

struct CodeSetComponent {
  CodeSetId native = CodeSetId::none;
  std::vector<CodeSetId> conversion;
};
// The body of an IOR's component 1 (TAG_CODE_SETS).
struct CodeSetComponentInfo {
  CodeSetComponent narrow, wide;
};

// This ORB's code sets: UTF-8, with conversion to and from ISO 8859-1; UTF-16.
const CodeSetComponentInfo& native_code_sets();
// Whether this ORB can convert text to and from these code sets, which a peer has chosen.
bool can_convert(const CodeSets& sets);
// Steps 1 to 6 of the negotiation, for narrow and wide characters separately. Empty if CODESET_INCOMPATIBLE.
std::optional<CodeSets> negotiate(const CodeSetComponentInfo& client, const CodeSetComponentInfo& server);

}  // namespace takt::cdr
