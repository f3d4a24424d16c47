// The values that DynAnys made from TypeCodes begin with (CORBA 3.0.3, 9.2.1.1).
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include <takt/cdr/ior.h>
#include <takt/dynamic/dyn_any.h>

#include "dynamic/any/values.h"

namespace takt::dynamic {

using CORBA::TCKind;
using CORBA::typecode_reference;

namespace {

class InitialWriter {
 public:
  explicit InitialWriter(cdr::Encoder& out) : out_(out) {}

  void put(const typecode_reference& of) {
    const typecode_reference type = behind_aliases(of);
    if (++elements_ > most_components || depth_ == most_depth)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "a type's initial value has too many elements, or is nested too deep");
    ++depth_;
    put_actual(*type);
    --depth_;
  }

 private:
  static constexpr std::uint32_t most_depth = 200;

  void put_actual(const CORBA::TypeCode& type) {
    switch (type._parts().kind) {
      case TCKind::tk_struct:
      case TCKind::tk_except:
        return put_members(type);
      case TCKind::tk_union:
        return put_union(type);
      case TCKind::tk_array:
        return put_array(type);
      case TCKind::tk_native:
      case TCKind::tk_Principal:
      case TCKind::tk_local_interface:
        throw DynamicAny::DynAnyFactory::InconsistentTypeCode();
      default:
        put_leaf(type);
    }
  }

  void put_leaf(const CORBA::TypeCode& type) {
    switch (type._parts().kind) {
      case TCKind::tk_null:
      case TCKind::tk_void:
        return;
      case TCKind::tk_string:
        return out_.put_string("");
      case TCKind::tk_wstring:
        return out_.put_wstring(L"");
      case TCKind::tk_any:
        return cdr::write_any(out_, {});
      case TCKind::tk_TypeCode:
        return cdr::write_typecode(out_, cdr::basic_typecode(TCKind::tk_null));
      case TCKind::tk_objref:
      case TCKind::tk_component:
      case TCKind::tk_home:
        return cdr::write_ior(out_, {});
      case TCKind::tk_value:
      case TCKind::tk_event:
      case TCKind::tk_value_box:
        return cdr::write_value(out_, nullptr);
      case TCKind::tk_abstract_interface:
        out_.put(false);
        return cdr::write_value(out_, nullptr);
      case TCKind::tk_fixed:
        return put_zero(type._parts().digits);
      default:
        put_number(type._parts().kind);
    }
  }

  void put_number(TCKind kind) {
    switch (kind) {
      case TCKind::tk_boolean:
      case TCKind::tk_char:
      case TCKind::tk_octet:
        return out_.put(std::uint8_t{0});
      case TCKind::tk_short:
      case TCKind::tk_ushort:
        return out_.put(std::uint16_t{0});
      case TCKind::tk_wchar:
        return out_.put(wchar_t{0});
      case TCKind::tk_double:
      case TCKind::tk_longlong:
      case TCKind::tk_ulonglong:
        return out_.put(std::uint64_t{0});
      case TCKind::tk_longdouble:
        out_.put(std::uint64_t{0});
        return out_.put(std::uint64_t{0});
      default:  // numbers of four octets, enumerators, and the lengths of sequences
        return out_.put(std::uint32_t{0});
    }
  }

  void put_zero(std::uint16_t digits) {
    for (std::uint16_t i = 0; i < digits / 2; ++i) out_.put(std::uint8_t{0});
    out_.put(std::uint8_t{0x0c});
  }

  void put_members(const CORBA::TypeCode& type) {
    if (type._parts().kind == TCKind::tk_except) out_.put_raw_string(type._parts().id);
    for (const auto& member : type._parts().members) put(member.type);
  }

  void put_array(const CORBA::TypeCode& type) {
    for (std::uint32_t i = 0; i < type._parts().length; ++i) put(type._parts().content);
  }

  // With its first member, or, if that is the default's, with a value that no other member has.
  void put_union(const CORBA::TypeCode& type) {
    const cdr::TypeCodeParts& parts = type._parts();
    std::int64_t label = parts.members.empty() ? 0 : parts.members.front().label;
    if (parts.members.empty() || parts.default_index == 0) label = free_label(type);
    cdr::write_any_value(out_, cdr::label_any(parts.discriminator, label));
    if (const auto* const member = type._member_with_label(label)) put(member->type);
  }

  // Found once for each type: an array may have a million elements, and the union thousands of labels.
  std::int64_t free_label(const CORBA::TypeCode& of_union) {
    const auto [at, is_new] = free_labels_.try_emplace(&of_union);
    if (is_new) find_free_label(of_union, at->second);
    return at->second;
  }

  cdr::Encoder& out_;
  std::map<const CORBA::TypeCode*, std::int64_t> free_labels_;
  std::size_t elements_ = 0;
  std::uint32_t depth_ = 0;
};

// How many values there are of a discriminator's type that are not negative, and how many that are.
struct DiscriminatorValues {
  std::int64_t positive, negative;
};
DiscriminatorValues values_of(const CORBA::TypeCode& discriminator) {
  switch (discriminator._parts().kind) {
    case TCKind::tk_boolean:
      return {2, 0};
    case TCKind::tk_char:
    case TCKind::tk_octet:
      return {256, 0};
    case TCKind::tk_short:
      return {32768, 32768};
    case TCKind::tk_ushort:
      return {65536, 0};
    case TCKind::tk_enum:
      return {static_cast<std::int64_t>(discriminator._parts().members.size()), 0};
    default:  // more than there can be labels
      return {INT32_MAX, 0};
  }
}

}  // namespace

CORBA::Any initial_value(const typecode_reference& type, cdr::Environment* environment) {
  return make_any(type, environment, [&](cdr::Encoder& out) { InitialWriter(out).put(type); });
}

bool find_free_label(const CORBA::TypeCode& of_union, std::int64_t& label) {
  const cdr::TypeCodeParts& parts = of_union._parts();
  std::vector<std::int64_t> taken;
  for (std::size_t i = 0; i < parts.members.size(); ++i)
    if (static_cast<std::int32_t>(i) != parts.default_index) taken.push_back(parts.members[i].label);
  std::ranges::sort(taken);
  const auto is_free = [&](std::int64_t value) {
    label = value;
    return !std::ranges::binary_search(taken, value);
  };
  const DiscriminatorValues values = values_of(parts.discriminator->_unaliased());
  for (std::int64_t i = 0; i < values.positive; ++i)
    if (is_free(i)) return true;
  for (std::int64_t i = 1; i <= values.negative; ++i)
    if (is_free(-i)) return true;
  return false;
}

}  // namespace takt::dynamic
