// Reading TypeCodes from untrusted peers (CORBA 3.0.3, 15.3.5.1).
#include <algorithm>
#include <map>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

// How the label of a union's default member is written: as a value of the discriminator's type, or as a
// single octet 0. The message does not say which, so a reader tries one, then the other.
enum class Labels { whole, octet };

constexpr std::size_t steps_of_typecode = 8;

// Positions are relative to the outermost TypeCode's stream, even inside encapsulations.
class TypeCodeReader {
 public:
  explicit TypeCodeReader(Labels labels) : labels_(labels) {}

  // The outermost type.
  typecode_reference read(Decoder& in) {
    typecode_reference outermost = read(in, 0, 1);
    if (!outermost) return outermost;
    for (const auto& [position, known] : known_)
      if (known.type != outermost.shared()) TypeCodeMaker::enclose(*known.type, outermost.shared());
    for (const auto& type : unfolded_) TypeCodeMaker::enclose(*type, outermost.shared());
    return outermost;
  }

 private:
  // `base`: the position of the decoder's index 0.
  typecode_reference read(Decoder& in, std::size_t base, std::uint32_t depth) {
    if (depth > in.format().limits->typecode_nesting) in.fail(Error::nesting);
    const std::uint32_t number = in.get_u32();
    if (!in.ok()) return {};
    const std::size_t position = base + in.position() - 4;
    if (number == typecode_indirection) return read_indirection(in, base);
    const auto kind = static_cast<TCKind>(number);
    if (number > static_cast<std::uint32_t>(TCKind::tk_event)) {
      in.fail(Error::bad_typecode);
      return {};
    }
    if (kind == TCKind::tk_string || kind == TCKind::tk_wstring) return string_type(in, kind);
    if (kind == TCKind::tk_fixed) return read_fixed(in);
    if (!has_id(kind) && !has_content(kind)) return basic_typecode(kind);
    return read_complex(in, base, position, kind, depth);
  }

  static typecode_reference string_type(Decoder& in, TCKind kind) {
    const std::uint32_t bound = in.get_u32();
    if (bound == 0 || !in.charge(sizeof(TypeCode))) return basic_typecode(kind);
    return make_typecode({.kind = kind, .length = bound});
  }

  static typecode_reference read_fixed(Decoder& in) {
    if (!in.charge(sizeof(TypeCode))) return {};
    TypeCodeParts parts{.kind = TCKind::tk_fixed};
    in.get(parts.digits);
    in.get(parts.scale);
    return finish(in, TypeCodeMaker::make(std::move(parts)));
  }

  static typecode_reference finish(Decoder& in, const std::shared_ptr<TypeCode>& type) {
    if (!in.ok()) return {};
    try {
      check_parts(type->_parts());
    } catch (const CORBA::SystemException&) {
      in.fail(Error::bad_typecode);
    }
    if (!TypeCodeMaker::index_labels(*type)) in.fail(Error::bad_typecode);
    if (!in.ok()) return {};
    if (TypeCodeMaker::measure(*type) > in.format().limits->typecode_nesting) {
      in.fail(Error::nesting);
      return {};
    }
    return typecode_reference(type);
  }

  typecode_reference read_indirection(Decoder& in, std::size_t base) {
    const std::size_t from = base + in.position();
    const auto offset = static_cast<std::int64_t>(in.take<std::int32_t>());
    if (in.costs().count_indirection() > in.format().limits->indirections || offset > -4 ||
        static_cast<std::uint64_t>(-offset) > from)
      in.fail(Error::indirection);
    if (!in.ok()) return {};
    const auto found = known_.find(from - static_cast<std::size_t>(-offset));
    if (found == known_.end()) {
      in.fail(Error::indirection);
      return {};
    }
    auto& [type, complete, recursion] = found->second;
    if (complete) return typecode_reference(type);
    // An enclosing type is still being read. It is one that can contain itself, or leads to one that encloses
    // the indirection: omniORB refers to `typedef sequence<Node> Nodes` inside of Node.
    const auto outer = std::ranges::find(being_read_, type.get());
    const auto meant = std::find_if(outer, being_read_.end(),
                                    [](const TypeCode* one) { return can_be_recursive(one->_parts().kind); });
    if (meant == being_read_.end()) {
      in.fail(Error::indirection);
      return {};
    }
    if (!recursion) {
      if (!in.charge(sizeof(TypeCode) + type->_parts().id.size())) return {};
      recursion = TypeCodeMaker::make_recursion(std::string(type->_parts().id));
      if (meant == outer)
        TypeCodeMaker::resolve(*recursion, type);
      else
        TypeCodeMaker::set_height(*recursion, static_cast<std::uint32_t>(meant - outer) + 1);
    }
    return typecode_reference(recursion);
  }

  // Makes `copy`, which stands for `type` inside of it, a type of its own, down to the first that can contain
  // itself: the IDL has the same there.
  void unfold(Decoder& in, const TypeCode& type, const std::shared_ptr<TypeCode>& copy) {
    TypeCodeParts parts = type._parts();
    if (!in.charge(sizeof(TypeCode) + parts.id.size() + parts.name.size())) return;
    unfolded_.push_back(copy);
    const typecode_reference content = std::move(parts.content);
    const auto inner = TypeCodeMaker::make_recursion(std::string(content->_parts().id));
    TypeCodeMaker::set_height(*inner, TypeCodeMaker::height(*copy) - 1);
    if (can_be_recursive(content->_parts().kind))
      TypeCodeMaker::resolve(*inner, content.shared());
    else
      unfold(in, *content, inner);
    parts.content = typecode_reference(inner);
    TypeCodeMaker::become(*copy, std::move(parts));
  }

  typecode_reference read_complex(Decoder& in, std::size_t base, std::size_t position, TCKind kind,
                                  std::uint32_t depth) {
    constexpr std::size_t node_bytes = 64;  // estimated overhead in known_
    if (stack_is_short()) in.fail(Error::nesting);
    if (!in.ok() || !in.spend(steps_of_typecode) || !in.charge(sizeof(TypeCode) + node_bytes)) return {};
    const std::shared_ptr<TypeCode> type = TypeCodeMaker::make({.kind = kind});
    known_[position] = {type, false, nullptr};
    being_read_.push_back(type.get());
    TypeCodeParts& parts = TypeCodeMaker::parts(*type);
    std::uint32_t size;
    if (!in.get_count(size, 1)) return {};
    const std::size_t inner_base = base + in.position();
    in.open_encapsulation(in.get_octets_view(size), [&](Decoder& inner) {
      if (has_id(kind)) {
        inner.get_raw_string(parts.id);
        inner.get_raw_string(parts.name);
      }
      read_parts(inner, inner_base, parts, depth + 1);
      // A label in the other layout leaves octets over.
      if (kind == TCKind::tk_union && parts.default_index >= 0 && inner.remaining() != 0)
        inner.fail(Error::bad_typecode);
    });
    being_read_.pop_back();
    const typecode_reference made = finish(in, type);
    if (!made) return made;
    Known& known = known_[position];
    known.complete = true;
    if (known.recursion && !can_be_recursive(kind)) unfold(in, *type, known.recursion);
    return made;
  }

  void read_parts(Decoder& in, std::size_t base, TypeCodeParts& parts, std::uint32_t depth) {
    if (parts.kind == TCKind::tk_union && !read_discriminator(in, base, parts, depth)) return;
    if (has_content(parts.kind)) parts.content = read(in, base, depth);
    if (is_value(parts.kind)) read_base(in, base, parts, depth);
    if (parts.kind == TCKind::tk_sequence || parts.kind == TCKind::tk_array) in.get(parts.length);
    if (has_members(parts.kind)) read_members(in, base, parts, depth);
  }

  // A union's discriminator, and the index of the default member.
  bool read_discriminator(Decoder& in, std::size_t base, TypeCodeParts& parts, std::uint32_t depth) {
    parts.discriminator = read(in, base, depth);
    in.get(parts.default_index);
    parts.default_index = std::max(parts.default_index, -1);  // omniORB: -2 if the labels are all values
    if (!in.ok()) return false;
    if (parts.discriminator->_is_recursion() || discriminator_size(*parts.discriminator) == 0)
      in.fail(Error::bad_typecode);
    return in.ok();
  }

  void read_members(Decoder& in, std::size_t base, TypeCodeParts& parts, std::uint32_t depth) {
    std::uint32_t count = 0;
    in.get_count(count, parts.kind == TCKind::tk_enum ? 5 : 9);
    const bool has_default = parts.kind == TCKind::tk_union && parts.default_index != -1;
    if (has_default && static_cast<std::uint32_t>(parts.default_index) >= count) in.fail(Error::bad_typecode);
    constexpr std::size_t label_bytes = 16;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      if (!in.charge(sizeof(TypeCodeMember) + label_bytes)) return;
      TypeCodeMember member;
      if (parts.kind == TCKind::tk_union) {
        const bool is_default = static_cast<std::int32_t>(i) == parts.default_index;
        member.label = read_label(in, *parts.discriminator, is_default);
      }
      in.get_raw_string(member.name);
      if (parts.kind != TCKind::tk_enum) member.type = read(in, base, depth);
      if (is_value(parts.kind)) in.get(member.visibility);
      parts.members.push_back(std::move(member));
    }
  }

  // A value's modifier, and its base: null or a value. The base may be an enclosing type, of which this value
  // is a member, but not one whose own base is still being read: then values would derive from themselves.
  void read_base(Decoder& in, std::size_t position, TypeCodeParts& parts, std::uint32_t depth) {
    in.get(parts.modifier);
    deriving_.push_back(&parts);
    typecode_reference base = read(in, position, depth);
    if (base && base.get() != basic_typecode(TCKind::tk_null).get()) {
      const TypeCodeParts& meant = base->_unaliased()._parts();
      if (!is_value(meant.kind) || std::ranges::find(deriving_, &meant) != deriving_.end())
        in.fail(Error::bad_typecode);
      else
        parts.content = std::move(base);
    }
    deriving_.pop_back();
  }

  std::int64_t read_label(Decoder& in, const TypeCode& discriminator, bool is_default) const {
    std::int64_t label = 0;
    switch (is_default && labels_ == Labels::octet ? 1 : discriminator_size(discriminator)) {
      case 1:
        label = in.get_u8();
        break;
      case 2:
        label = in.get_u16();
        break;
      case 3:
        label = read_wide_label(in);
        break;
      case 4:
        label = in.get_u32();
        break;
      default:
        in.get(label);
    }
    if (is_default) return 0;
    switch (discriminator._unaliased()._parts().kind) {
      case TCKind::tk_short:
        return static_cast<std::int16_t>(label);
      case TCKind::tk_long:
        return static_cast<std::int32_t>(label);
      default:
        return label;
    }
  }

  static std::int64_t read_wide_label(Decoder& in) {
    const ByteView octets = in.get_octets_view(in.get_u8());
    if (octets.size() != 2) in.fail(Error::bad_typecode);
    return in.ok() ? octets[0] << 8 | octets[1] : 0;
  }

  struct Known {
    std::shared_ptr<TypeCode> type;
    bool complete = false;
    std::shared_ptr<TypeCode> recursion;  // stands for the type inside itself
  };

  Labels labels_;
  std::vector<const TypeCodeParts*> deriving_;  // values whose bases are being read, outermost first
  std::vector<const TypeCode*> being_read_;     // outermost first
  std::vector<std::shared_ptr<TypeCode>> unfolded_;
  std::map<std::size_t, Known> known_;  // by position
};

bool is_encapsulated(TCKind kind) { return has_id(kind) || has_content(kind); }

// Whether four octets of numbers follow the kind.
bool has_numbers(TCKind kind) {
  return kind == TCKind::tk_string || kind == TCKind::tk_wstring || kind == TCKind::tk_fixed;
}

// The octets after the kind, without the length of an encapsulation.
ByteView take_parameters(Decoder& in, TCKind kind) {
  std::uint32_t size = 0;
  if (is_encapsulated(kind))
    in.get_count(size, 1);
  else if (has_numbers(kind))
    size = 4;
  return in.ok() ? in.get_octets_view(size) : ByteView();
}

// Reads kind and parameters from a copy in which they have the same alignment as in `in`. Returns null, and
// sets `why`, if that fails.
typecode_reference read_again(Decoder& in, TCKind kind, ByteView parameters, Labels labels, Error& why) {
  GatherBuffer buffer(parameters.size() + 8);
  Encoder copy(buffer, in.format());
  copy.put(static_cast<std::uint32_t>(kind));
  if (is_encapsulated(kind)) copy.put_count(parameters.size());
  buffer.append(parameters.data(), parameters.size());
  Decoder again({buffer.owned(), buffer.owned_size()}, 0, in.format());
  again.share_costs(in);
  auto type = TypeCodeReader(labels).read(again);
  why = again.error();
  return again.ok() ? type : typecode_reference();
}

}  // namespace

typecode_reference read_typecode(Decoder& decoder) { return read_typecode(decoder, decoder.get_u32()); }

// The octets are read from a copy, so that they can be read twice; all of them must be present.
typecode_reference read_typecode(Decoder& decoder, std::uint32_t number) {
  if (number == typecode_indirection)
    decoder.fail(Error::indirection);
  else if (number > static_cast<std::uint32_t>(TCKind::tk_event))
    decoder.fail(Error::bad_typecode);
  if (!decoder.ok()) return {};
  const auto kind = static_cast<TCKind>(number);
  if (!is_encapsulated(kind) && !has_numbers(kind)) return basic_typecode(kind);
  const ByteView parameters = take_parameters(decoder, kind);
  if (!decoder.ok()) return {};
  Error first = Error::none, second = Error::none;
  if (auto type = read_again(decoder, kind, parameters, Labels::whole, first)) return type;
  if (auto type = read_again(decoder, kind, parameters, Labels::octet, second)) return type;
  decoder.fail(first);
  return {};
}

}  // namespace takt::cdr
