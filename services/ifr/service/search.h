// Looks up definitions in scopes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ifr/service/core.h"

namespace takt::ifr {

// The direct and indirect bases of an interface or value, each once, those named first first. A value's bases
// include the interfaces that it supports only `with_supported`.
std::vector<Definition> all_bases(Core& core, const Definition& definition, bool with_supported = true);
// Whether the base is a direct base of the interface or value, or an interface that the value supports.
bool has_base(const Definition& definition, Number base);
// A base's attributes and operations, which count for the limit of what one request looks at.
std::vector<Entry> features_of(Core& core, const Definition& base);
// The attributes and operations of all bases.
std::vector<Entry> inherited_features(Core& core, const Definition& definition);

// "::M::I" or a name relative to the container. Nothing if there is none.
std::optional<Entry> lookup(Core& core, const Self& container, const std::string& scoped_name);
std::vector<Entry> contents(Core& core, const Self& container, Kind limit_type, bool exclude_inherited);
// `levels`: 1 for the container alone, negative for all.
std::vector<Entry> lookup_name(Core& core, const Self& container, const std::string& name,
                               std::int32_t levels, Kind limit_type, bool exclude_inherited);
// "::M::I"
std::string absolute_name(Core& core, const Entry& entry);
// Whether an interface or value is the one with the id, or derives from it.
bool is_a(Core& core, const Definition& definition, const std::string& id);

}  // namespace takt::ifr
