// Code sets on the wire: the component that a server publishes and the context that a client answers with
// (CORBA 3.0.3, 13.10.2.4 and 13.10.2.5). The choice itself is cdr's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/cdr/code_sets.h>

#include "giop/profile.h"
#include "giop/service_context.h"

namespace takt::giop {

// Data of service context 1. 0 as a wide set: none chosen.
struct CodeSetContext {
  std::uint32_t char_set = 0;
  std::uint32_t wchar_set = 0;
};
std::vector<std::uint8_t> write_code_set_context(const CodeSetContext& context);
std::optional<CodeSetContext> read_code_set_context(ByteView data);

TaggedComponent make_code_sets_component(const cdr::CodeSetComponentInfo& info);
std::optional<cdr::CodeSetComponentInfo> read_code_sets_component(const TaggedComponent& component);

// What the client of a connection has chosen, if these contexts say so and we know the sets.
std::optional<cdr::CodeSets> code_sets_of(const ServiceContexts& contexts);

}  // namespace takt::giop
