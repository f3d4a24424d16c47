#include <takt/cdr/mapping/typecode_makers.h>

#include <memory>
#include <string>
#include <utility>

#include <takt/cdr/types_in_progress.h>

#include "base/owned_by_thread.h"

namespace takt::cdr::detail {

namespace {

// The types whose TypeCodes this thread is making.
TypesInProgress<const CachedTypeCode*>& in_progress() {
  return owned_by_thread<TypesInProgress<const CachedTypeCode*>>();
}

// Two threads may make the same TypeCode at once. The first one is kept for both.
const CORBA::typecode_reference& keep(CachedTypeCode& kept, CORBA::typecode_reference&& made) {
  auto mine = std::make_unique<const CORBA::typecode_reference>(std::move(made));
  const CORBA::typecode_reference* there = nullptr;
  if (kept.compare_exchange_strong(there, mine.get(), std::memory_order_acq_rel)) return *mine.release();
  return *there;
}

// Makes a TypeCode once. One that refers to an enclosing type is not kept, because it is complete only inside
// that type.
template <class Make>
CORBA::typecode_reference remembered(CachedTypeCode& kept, const TypeNames& names, bool can_be_meant,
                                     Make make) {
  if (const auto* made = kept.load(std::memory_order_acquire)) return *made;
  auto& types = in_progress();
  if (types.encloses(&kept)) return make_recursion(std::string(names.id));
  if (auto inside = types.made_inside(&kept)) return inside;
  auto [type, is_whole] = types.make(&kept, can_be_meant, make);
  return is_whole ? keep(kept, std::move(type)) : type;
}

TypeCodeParts parts_of(CORBA::TCKind kind, const TypeNames& names) {
  TypeCodeParts parts;
  parts.kind = kind;
  parts.id = names.id;
  parts.name = names.name;
  return parts;
}

TypeCodeMember member_of(std::string_view name, CORBA::typecode_reference type) {
  return {.name = std::string(name), .type = std::move(type)};
}

}  // namespace

CORBA::typecode_reference struct_typecode(CachedTypeCode& kept, const TypeNames& names, CORBA::TCKind kind,
                                          GetTypeCodes* types, GetTypeCode* base) {
  return remembered(kept, names, true, [&] {
    TypeCodeParts parts = parts_of(kind, names);
    if (base) parts.members = base()->_parts().members;
    const TypeCodes of_members = types();
    auto type = of_members.begin();
    for (const auto name : names.members) parts.members.push_back(member_of(name, *type++));
    return make_typecode(std::move(parts));
  });
}

CORBA::typecode_reference union_typecode(CachedTypeCode& kept, const TypeNames& names, const UnionParts& of,
                                         const CORBA::typecode_reference& discriminator,
                                         GetTypeCodes* types) {
  return remembered(kept, names, true, [&] {
    TypeCodeParts parts = parts_of(CORBA::TCKind::tk_union, names);
    parts.discriminator = discriminator;
    const TypeCodes of_members = types();
    const auto labels = of.labels();
    for (std::size_t arm = 0; arm < names.members.size(); ++arm) {
      for (const TypeCodeLabel& label : labels) {
        if (label.arm != arm) continue;
        parts.members.push_back(member_of(names.members[arm], of_members[arm]));
        parts.members.back().label = label.value;
      }
      if (arm != of.default_arm) continue;
      parts.default_index = static_cast<std::int32_t>(parts.members.size());
      parts.members.push_back(member_of(names.members[arm], of_members[arm]));
    }
    return make_typecode(std::move(parts));
  });
}

CORBA::typecode_reference enum_typecode(CachedTypeCode& kept, const TypeNames& names) {
  return remembered(kept, names, false, [&] {
    TypeCodeParts parts = parts_of(CORBA::TCKind::tk_enum, names);
    for (const auto name : names.members) parts.members.push_back(member_of(name, {}));
    return make_typecode(std::move(parts));
  });
}

CORBA::typecode_reference alias_typecode(CachedTypeCode& kept, const TypeNames& names, GetTypeCode* type) {
  return remembered(kept, names, false, [&] { return make_alias(names.id, names.name, type()); });
}

CORBA::typecode_reference named_typecode(CachedTypeCode& kept, const TypeNames& names, CORBA::TCKind kind) {
  return remembered(kept, names, false, [&] { return make_named(kind, names.id, names.name); });
}

CORBA::typecode_reference box_typecode(CachedTypeCode& kept, const TypeNames& names, GetTypeCode* type) {
  return remembered(kept, names, true, [&] {
    TypeCodeParts parts = parts_of(CORBA::TCKind::tk_value_box, names);
    parts.content = type();
    return make_typecode(std::move(parts));
  });
}

CORBA::typecode_reference value_typecode(CachedTypeCode& kept, const TypeNames& names,
                                         const ValueParts& value) {
  return remembered(kept, names, true, [&] {
    TypeCodeParts parts = parts_of(value.kind, names);
    parts.modifier = value.modifier;
    if (value.base) parts.content = value.base();
    for (ValueMember& member : value.members()) {
      parts.members.push_back(member_of(member.name, std::move(member.type)));
      parts.members.back().visibility = member.visibility;
    }
    return make_typecode(std::move(parts));
  });
}

}  // namespace takt::cdr::detail
