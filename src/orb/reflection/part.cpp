#include <memory>

#include "orb/parts/parts.h"
#include "orb/reflection/repository.h"
#include "reflection/descriptions.h"
#include "reflection/interface_def.h"

namespace takt {

namespace {

void begin_reflection(adapter::AdapterTree& tree, const Parts& parts) {
  const auto objects = std::make_shared<reflection::InterfaceDefs>(
      tree, std::make_shared<const reflection::Descriptions>(parts.descriptions));
  tree.interface_def = [objects](const std::string& id) { return objects->object_for(id); };
}

}  // namespace

void detail::add_reflection(Parts& parts, const char* const* first, const char* const* last) {
  parts.begin_reflection = begin_reflection;
  parts.begin_repository = orb::begin_repository;
  parts.descriptions.emplace_back(first, last);
}

}  // namespace takt
