// A hostile server's answer to one request, generated from a seed.
#pragma once

#include <cstdint>
#include <string_view>

#include "captures.h"
#include "conversation.h"

namespace takt::fuzz::live {

// The operations that the client target calls. A seed's remainder selects the operation that it answers.
inline constexpr std::string_view called_operations[] = {
    "ping",      "echo",         "give",          "type_of",     "pass_graph", "pass_derived",
    "pass_any",  "echo_strings", "_non_existent", "echo_octets", "same",       "pass_wide",
    "swap_tree", "swap_table",   "pass_text",     "pass_null"};
inline std::string_view operation_of(std::uint64_t seed) {
  return called_operations[seed % std::size(called_operations)];
}
// The minor GIOP version of the request that the seed answers.
inline std::uint8_t minor_of(std::uint64_t seed) { return Random(seed ^ 0xa5a5).one_in(4) ? 1 : 2; }

// Request ids are 0.
Conversation make_answer(std::uint64_t seed, Carrier carrier, const Captures& captures);
// The same octets with the request's id, if they are a reply of GIOP 1.1 or 1.2 or a fragment of one.
Octets with_id(Octets message, std::uint32_t id);

// An honest server's answer: void, or false.
Octets honest_answer(std::uint8_t minor, std::uint32_t id, std::string_view operation);

}  // namespace takt::fuzz::live
