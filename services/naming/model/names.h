// Converts names between their CORBA form, text, and the keys of a context.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "CosNamingC.h"
#include "naming/model/limits.h"

namespace takt::naming {

// Parses "a/b.kind/c" (Naming Service 1.3, 2.4). Fails if the text is no name or a component exceeds the
// limits.
std::expected<CosNaming::Name, std::string> name_of(std::string_view text, const Limits& limits = {});
std::string text_of(const CosNaming::Name& name);
// Why the name is refused: it has no components, too many, or too long ones. Empty if it is valid.
std::string fault_of(const CosNaming::Name& name, const Limits& limits);

enum class UrlFault : std::uint8_t { address, name };
// Makes "corbaname:" ADDRESS "#" NAME and escapes the name. `address` is as in
// "iiop:1.2@host:2809,:other/key" or "rir:".
std::expected<std::string, UrlFault> url_of(std::string_view address, std::string_view name,
                                            const Limits& limits = {});

// A component as the key of a binding: its id, a zero octet, its kind. Keys sort by id, then kind. No id
// contains a zero octet, because CORBA strings end there.
std::string key_of(const CosNaming::NameComponent& component);
CosNaming::NameComponent component_of(std::string_view key);
// The same, without allocation if `buffer` is large enough.
std::string_view key_in(std::string& buffer, const CosNaming::NameComponent& component);

}  // namespace takt::naming
