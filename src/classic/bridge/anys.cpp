// The runtime's Any for the classic mapping.
#include <memory>
#include <vector>

#include "classic/bridge/types.h"

namespace takt::classic::any {

namespace {

using CORBA::TCKind;

CORBA::Any any_of(AnyHandle* any) { return any ? any->any : CORBA::Any(); }
TCKind kind_of(AnyHandle* any) { return any ? any->any.type()->_unaliased()._parts().kind : TCKind::tk_null; }

}  // namespace

AnyHandle* duplicate(AnyHandle* any) {
  if (any) any->count.fetch_add(1, std::memory_order_relaxed);
  return any;
}
void release(AnyHandle* any) {
  if (any && any->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete any;
}

AnyHandle* make(TypeCodeHandle& type, void (*write)(Writer&, const void*), const void* value,
                const char* exception_id) {
  return translating([&] {
    auto content = std::make_shared<cdr::AnyContent>();
    GatherBuffer buffer(128);
    cdr::Encoder out(buffer, cdr::any_format());
    out.set_borrowing(false);
    cdr::collect_values(out, content->values);
    if (exception_id) out.put_raw_string(exception_id);
    write(writer(out), value);
    if (!out.ok()) cdr::throw_not_encoded(out.error(), "a value could not be put into an Any");
    content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
    return new AnyHandle(CORBA::Any(type.type, std::move(content), cdr::noted_environment(out)));
  });
}

TypeCodeHandle* type(AnyHandle* any) { return new TypeCodeHandle(any_of(any).type()); }
AnyHandle* with_type(AnyHandle* any, TypeCodeHandle& type) {
  return translating([&] {
    CORBA::Any changed = any_of(any);
    changed.type(type.type);
    return new AnyHandle(std::move(changed));
  });
}
bool holds(AnyHandle* any, TypeCodeHandle& type) {
  if (!any) return false;
  return translating([&] {
    const CORBA::typecode_reference held = any->any.type();
    return held.get() == type.type.get() || held->equivalent(type.type);
  });
}
bool holds_object(AnyHandle* any) {
  const TCKind kind = kind_of(any);
  return kind == TCKind::tk_objref || kind == TCKind::tk_component || kind == TCKind::tk_home;
}
bool holds_value(AnyHandle* any) {
  const TCKind kind = kind_of(any);
  return kind == TCKind::tk_value || kind == TCKind::tk_event || kind == TCKind::tk_value_box;
}

bool holds_abstract(AnyHandle* any) { return kind_of(any) == TCKind::tk_abstract_interface; }

TypeCodeHandle* string_type(bool wide, std::uint32_t bound) {
  return translating([&] {
    cdr::TypeCodeParts parts;
    parts.kind = wide ? TCKind::tk_wstring : TCKind::tk_string;
    parts.length = bound;
    return new TypeCodeHandle(bound ? cdr::make_typecode(std::move(parts)) : cdr::basic_typecode(parts.kind));
  });
}

TypeCodeHandle* fixed_type(std::uint16_t digits, std::uint16_t scale) {
  if (digits == 0 || digits > 31 || scale > digits)
    raise_bad_param("a fixed type has 1 to 31 digits, and no more of them are of the fraction");
  return translating([&] {
    cdr::TypeCodeParts parts;
    parts.kind = TCKind::tk_fixed;
    parts.digits = digits;
    parts.scale = static_cast<std::int16_t>(scale);
    return new TypeCodeHandle(cdr::make_typecode(std::move(parts)));
  });
}

bool extract(AnyHandle& any, void (*read)(Reader&, void*), void* value) {
  return translating([&] {
    const cdr::AnyContent& content = any.any._content();
    const std::vector<std::uint8_t> to_make = cdr::with_values_to_make(any.any);
    cdr::Decoder in(to_make.empty() ? content.octets : to_make, 0, cdr::any_format(any.any._environment()));
    if (!content.values.empty()) cdr::join_message(in, content);
    if (to_make.empty() && !content.values.empty()) cdr::take_values_from(in, content.values);
    if (kind_of(&any) == TCKind::tk_except) in.get_raw_string_view();
    read(reader(in), value);
    if (!in.ok()) cdr::throw_if_no_factory(in);
    return in.ok();
  });
}

void write(Writer& out, AnyHandle* any) {
  translating([&] { cdr::write_any(encoder(out), any_of(any)); });
}
AnyHandle* read(Reader& in) {
  return translating([&]() -> AnyHandle* {
    CORBA::Any any;
    return cdr::read_any(decoder(in), any) ? new AnyHandle(std::move(any)) : nullptr;
  });
}

}  // namespace takt::classic::any
