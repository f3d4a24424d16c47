// Writing TypeCodes (CORBA 3.0.3, 15.3.5.1).
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <takt/cdr/stack.h>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

// Repeated types are written again, because fewer readers know indirections. The limits are in types and in
// octets.
constexpr std::size_t most_repeated = 256, most_repeated_bytes = 64 << 10;

// Positions are relative to the outermost TypeCode's stream, even inside encapsulations.
class TypeCodeWriter {
 public:
  explicit TypeCodeWriter(bool compact) : compact_(compact) {}

  // `base`: the position of the encoder's index 0.
  void write(Encoder& out, std::size_t base, const typecode_reference& type) {
    if (!type) return out.put(std::uint32_t{0});
    const auto meant = type->_resolved(type.shared());
    if (!meant) return out.fail(Error::bad_typecode);
    out.align(4);
    const auto known = positions_.find(meant.get());
    if (known != positions_.end() &&
        (type->_is_recursion() || is_inside(known->second) || written_ > most_repeated ||
         base + out.position() > most_repeated_bytes)) {
      refers_to_ = std::min(refers_to_, known->second.refers_to);
      out.put(typecode_indirection);
      const std::size_t here = base + out.position();
      return out.put(static_cast<std::int32_t>(static_cast<std::int64_t>(known->second.position) -
                                               static_cast<std::int64_t>(here)));
    }
    // A recursion whose type has not been written is of a part that is written alone, or that a derived
    // struct inherits: the type is written in its place.
    if (stack_is_short()) return out.fail(Error::nesting);
    if (!has_id(meant->_parts().kind) && !has_content(meant->_parts().kind)) {
      out.put(static_cast<std::uint32_t>(meant->_parts().kind));
      return write_parameters(out, base, meant->_parts());
    }
    write_open(out, base, *meant);
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;
  struct Written {
    std::size_t position;
    std::size_t refers_to = none;  // index in open_ of the outermost type that it refers to
    std::size_t outermost = none;  // that type's position
  };

  // Whether the type is being written and may contain itself, or has been written and refers to one that is
  // being written around it, and so is complete only in there. It is not written again, because its parts
  // would be written again too, and a reader would count them as deeper.
  bool is_inside(const Written& written) const {
    return written.refers_to < open_.size() && open_[written.refers_to] == written.outermost;
  }

  void write_open(Encoder& out, std::size_t base, const TypeCode& type) {
    const std::size_t depth = open_.size(), outer = std::exchange(refers_to_, none);
    const std::size_t position = base + out.position();
    positions_.insert_or_assign(
        &type, Written{position, depth, can_be_recursive(type._parts().kind) ? position : none});
    open_.push_back(position);
    ++written_;
    out.put(static_cast<std::uint32_t>(type._parts().kind));
    write_parameters(out, base, type._parts());
    open_.pop_back();
    if (refers_to_ < depth)
      positions_[&type] = {position, refers_to_, open_[refers_to_]};
    else
      positions_[&type] = {position};
    refers_to_ = refers_to_ < depth ? std::min(outer, refers_to_) : outer;
  }

  void write_parameters(Encoder& out, std::size_t base, const TypeCodeParts& parts) {
    switch (parts.kind) {
      case TCKind::tk_string:
      case TCKind::tk_wstring:
        return out.put(parts.length);
      case TCKind::tk_fixed:
        out.put(parts.digits);
        return out.put(parts.scale);
      default:
        if (!has_id(parts.kind) && !has_content(parts.kind)) return;
    }
    out.align(4);
    // After the count that put_encapsulation will write.
    const std::size_t inner_base = base + out.position() + 4;
    out.put_encapsulation([&](Encoder& in) {
      if (has_id(parts.kind)) {
        in.put_raw_string(parts.id);
        in.put_raw_string(compact_ ? std::string_view() : parts.name);
      }
      write_complex(in, inner_base, parts);
    });
  }

  void write_complex(Encoder& out, std::size_t base, const TypeCodeParts& parts) {
    if (parts.kind == TCKind::tk_union) {
      write(out, base, parts.discriminator);
      out.put(parts.default_index);
    }
    if (is_value(parts.kind)) out.put(parts.modifier);
    if (has_content(parts.kind) || is_value(parts.kind)) write(out, base, parts.content);
    if (parts.kind == TCKind::tk_sequence || parts.kind == TCKind::tk_array) out.put(parts.length);
    if (!has_members(parts.kind)) return;
    out.put_count(parts.members.size());
    for (const TypeCodeMember& member : parts.members) {
      if (parts.kind == TCKind::tk_union) write_label(out, *parts.discriminator, member.label);
      out.put_raw_string(compact_ ? std::string_view() : member.name);
      if (parts.kind != TCKind::tk_enum) write(out, base, member.type);
      if (is_value(parts.kind)) out.put(member.visibility);
    }
  }

  // A value of the discriminator's type, even for default (see Labels in the reader).
  static void write_label(Encoder& out, const TypeCode& discriminator, std::int64_t label) {
    switch (discriminator_size(discriminator)) {
      case 1:
        return out.put(static_cast<std::uint8_t>(label));
      case 2:
        return out.put(static_cast<std::uint16_t>(label));
      case 3:
        out.put(std::uint8_t{2});
        out.put(static_cast<std::uint8_t>(label >> 8));
        return out.put(static_cast<std::uint8_t>(label));
      case 4:
        return out.put(static_cast<std::uint32_t>(label));
      case 8:
        return out.put(label);
      default:
        return out.fail(Error::bad_typecode);
    }
  }

  bool compact_;
  std::size_t written_ = 0;
  std::unordered_map<const TypeCode*, Written> positions_;
  std::vector<std::size_t> open_;  // positions of the types that are being written, outermost first
  std::size_t refers_to_ = none;
};

}  // namespace

void write_typecode(Encoder& encoder, const typecode_reference& type, bool compact) {
  if (type && !has_id(type->_parts().kind) && !has_content(type->_parts().kind) && !type->_is_recursion()) {
    encoder.put(static_cast<std::uint32_t>(type->_parts().kind));
    if (type->_parts().kind == TCKind::tk_string || type->_parts().kind == TCKind::tk_wstring)
      encoder.put(type->_parts().length);
    if (type->_parts().kind == TCKind::tk_fixed) {
      encoder.put(type->_parts().digits);
      encoder.put(type->_parts().scale);
    }
    return;
  }
  TypeCodeWriter(compact).write(encoder, 0, type);
}

void write_typecode(Encoder& encoder, const typecode_reference& type) {
  write_typecode(encoder, type, false);
}

}  // namespace takt::cdr
