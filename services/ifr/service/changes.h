// Changes of definitions that clients ask for. All are to be called within Core::change(), and throw what the
// checks throw.
#pragma once

#include <string>

#include "ifr/service/core.h"

namespace takt::ifr {

struct Head {
  const std::string& id;
  const std::string& name;
  const std::string& version;
};

Entry create(Core& core, const Self& container, Kind kind, const Head& head, Details details = {});
void set_details(Core& core, const Self& self, Details details);
void set_id(Core& core, const Self& self, const std::string& id);
void set_name(Core& core, const Self& self, const std::string& name);
void set_version(Core& core, const Self& self, const std::string& version);
void move(Core& core, const Self& self, const Definition& container, const std::string& name,
          const std::string& version);
// With types without a name that nothing else uses. BAD_INV_ORDER, OMG minor 1: other definitions refer to
// this one, or to one in it; 2: the repository or a primitive type.
void destroy(Core& core, const Self& self);

// A new type without a name, which is there until destroy(), or until its last user no longer uses it.
// BAD_TYPECODE, OMG minor 2: its element is void, null or an exception. IMP_LIMIT.
Number create_unnamed(Core& core, const std::string& text);
// Changes a type without a name, for all that use it. The same exceptions, and those of set_details().
void set_unnamed(Core& core, const Self& self, const std::string& text);

// Clients' structs in the form of the store. BAD_PARAM for objects of other repositories.
Members members_from(Core& core, const R::StructMemberSeq& given);
// OMG minor 19: a label is not of the discriminator's type.
Members members_from(Core& core, const R::UnionMemberSeq& given, const std::string& discriminator);
Members members_from(Core& core, const R::EnumMemberSeq& given);
Members members_from(Core& core, const R::ParDescriptionSeq& given);
Takt::Ifr::InitializerSeq initializers_from(Core& core, const R::InitializerSeq& given);
// Sets the initializers and their exceptions.
void set_initializers(Core& core, Details& details, const R::ExtInitializerSeq& given);
// By their ids. BAD_PARAM if the repository has no exception of an id.
std::vector<Number> exceptions_from(Core& core, const R::ExcDescriptionSeq& given);
Takt::Ifr::Texts contexts_from(Core& core, const R::ContextIdSeq& given);
// IMP_LIMIT for a constant that is too long.
const CORBA::Any& constant_from(Core& core, const CORBA::Any& given);
template <class References>
std::vector<Number> numbers_from(Core& core, const References& given, bool (*is_kind)(Kind)) {
  if (given.size() > core.limits().bases) throw_limit("the list of definitions is too long");
  std::vector<Number> numbers;
  for (const auto& each : given) numbers.push_back(core.definition_of(each, is_kind).number);
  return numbers;
}

}  // namespace takt::ifr
