// Code sets on the wire: the component that a server publishes and the context that a client answers with
// (CORBA 3.0.3, 13.10.2.4 and 13.10.2.5). cdr/code_sets.h makes the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/cdr/code_sets.h>

#include "giop/references/profile.h"

namespace takt::giop {

// Data of service context 1.
std::vector<std::uint8_t> write_code_set_context(const cdr::CodeSets& chosen);
std::optional<cdr::CodeSets> read_code_set_context(ByteView data);

TaggedComponent make_code_sets_component(const cdr::CodeSetComponentInfo& info);
std::optional<cdr::CodeSetComponentInfo> read_code_sets_component(const TaggedComponent& component);

}  // namespace takt::giop
