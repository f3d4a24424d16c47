// The only code that constructs TypeCodes.
#pragma once

#include <algorithm>

#include <takt/cdr/typecode.h>

namespace CORBA {

class takt_typecode_maker {
 public:
  static std::shared_ptr<TypeCode> make(takt::cdr::TypeCodeParts parts) {
    std::shared_ptr<TypeCode> type(new TypeCode);
    type->parts_ = std::move(parts);
    return type;
  }
  static std::shared_ptr<TypeCode> make_recursion(std::string id) {
    auto type = make({});
    type->parts_.id = std::move(id);
    type->recursion_ = type->open_ = true;
    return type;
  }
  // For the reader, which makes a type before its parts.
  static takt::cdr::TypeCodeParts& parts(TypeCode& type) { return type.parts_; }
  static void resolve(const TypeCode& recursion, const std::shared_ptr<const TypeCode>& target) {
    recursion.enclosing_ = target;
    recursion.open_ = false;
  }
  // Gives a recursion that stands for no enclosing type the parts of a type. Its height is that of before.
  static void become(TypeCode& recursion, takt::cdr::TypeCodeParts parts) {
    recursion.parts_ = std::move(parts);
    recursion.recursion_ = recursion.open_ = false;
  }
  static void set_height(TypeCode& type, std::uint32_t height) { type.height_ = height; }
  // Makes a union's table of labels. Returns false for a duplicate label.
  static bool index_labels(TypeCode& type) {
    const takt::cdr::TypeCodeParts& parts = type.parts_;
    if (parts.kind != TCKind::tk_union) return true;
    type.labels_.reserve(parts.members.size());
    for (std::size_t i = 0; i < parts.members.size(); ++i)
      if (static_cast<std::int32_t>(i) != parts.default_index)
        type.labels_.emplace_back(parts.members[i].label, static_cast<std::uint32_t>(i));
    std::sort(type.labels_.begin(), type.labels_.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    return std::adjacent_find(type.labels_.begin(), type.labels_.end(), same) == type.labels_.end();
  }
  // The depth of the tree, which bounds the stack that recursive functions need.
  static std::uint32_t height(const TypeCode& type) { return type.height_; }
  static std::uint32_t measure(TypeCode& type) {
    std::uint32_t height = 0;
    const auto part = [&](const typecode_reference& one) {
      height = one ? std::max(height, one->height_) : height;
    };
    part(type.parts_.content);
    part(type.parts_.discriminator);
    for (const auto& member : type.parts_.members) part(member.type);
    return type.height_ = height + 1;
  }
  // `outer`, a part of which is `part`, is to live as long as references that accessors return of `part`.
  static void enclose(const TypeCode& part, const std::shared_ptr<const TypeCode>& outer) {
    part.enclosing_ = outer;
  }
  // Whether a part stands for a type that does not exist, or exists no longer.
  static bool is_open(const TypeCode& type) {
    const std::weak_ptr<const TypeCode> none;
    const bool enclosed = type.enclosing_.owner_before(none) || none.owner_before(type.enclosing_);
    return type.open_ || (enclosed && type.enclosing_.expired());
  }
  static void set_open(const TypeCode& type, bool open) { type.open_ = open; }
};

}  // namespace CORBA

namespace takt::cdr {

// Replaces a TypeCode's kind, to refer to the one that began that many octets before.
inline constexpr std::uint32_t typecode_indirection = 0xffffffff;

}  // namespace takt::cdr

namespace takt::cdr {

using CORBA::TCKind;
using CORBA::TypeCode;
using CORBA::typecode_reference;
using TypeCodeMaker = CORBA::takt_typecode_maker;

// Which parts of a type are encoded, by kind.
inline bool has_id(TCKind kind) {
  switch (kind) {
    case TCKind::tk_objref:
    case TCKind::tk_struct:
    case TCKind::tk_union:
    case TCKind::tk_enum:
    case TCKind::tk_alias:
    case TCKind::tk_except:
    case TCKind::tk_value:
    case TCKind::tk_value_box:
    case TCKind::tk_native:
    case TCKind::tk_abstract_interface:
    case TCKind::tk_local_interface:
    case TCKind::tk_component:
    case TCKind::tk_home:
    case TCKind::tk_event:
      return true;
    default:
      return false;
  }
}
inline bool has_members(TCKind kind) {
  return kind == TCKind::tk_struct || kind == TCKind::tk_union || kind == TCKind::tk_enum ||
         kind == TCKind::tk_except || kind == TCKind::tk_value || kind == TCKind::tk_event;
}
inline bool is_value(TCKind kind) { return kind == TCKind::tk_value || kind == TCKind::tk_event; }
inline bool has_content(TCKind kind) {
  return kind == TCKind::tk_sequence || kind == TCKind::tk_array || kind == TCKind::tk_alias ||
         kind == TCKind::tk_value_box;
}
// Types that can contain themselves.
inline bool can_be_recursive(TCKind kind) { return has_members(kind) || kind == TCKind::tk_value_box; }
// Kinds that cannot be an element or a member.
inline bool is_illegal_member(TCKind kind) {
  return kind == TCKind::tk_null || kind == TCKind::tk_void || kind == TCKind::tk_except;
}
// Throws like make_typecode.
void check_parts(const TypeCodeParts& parts);
// The size of a discriminator in octets; 0 for types that cannot be one.
std::size_t discriminator_size(const TypeCode& type);

void write_typecode(Encoder& encoder, const typecode_reference& type, bool compact);
// The rest of a TypeCode, whose kind has been read and is `number`.
typecode_reference read_typecode(Decoder& decoder, std::uint32_t number);

}  // namespace takt::cdr
