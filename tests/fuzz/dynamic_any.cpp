// DynAnys of hostile Anys can be opened at any depth, changed and converted back. Unchanged parts keep their
// octets.
#include <takt/dynamic/dyn_any.h>

#include "cdr_input.h"

namespace {

using namespace takt;
using DynamicAny::DynAny;
using Reference = CORBA::object_reference<DynAny>;

fuzz::Octets octets_of(const CORBA::Any& any) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, cdr::any_format());
  out.set_borrowing(false);
  cdr::write_any(out, any);
  return out.ok() ? fuzz::all(buffer) : fuzz::Octets();
}

// Opens at most `left` nodes.
void open(const Reference& any, int& left, int depth = 0) {
  const std::uint32_t count = any->component_count();
  for (std::uint32_t i = 0; i < count && depth < 30 && --left > 0; ++i) {
    fuzz::require(any->seek(static_cast<std::int32_t>(i)));
    open(any->current_component(), left, depth + 1);
  }
}

void change(const Reference& any) {
  any->rewind();
  try {
    any->insert_long(7);
    fuzz::require(any->get_long() == 7);
  } catch (const DynAny::TypeMismatch&) {
  } catch (const DynAny::InvalidValue&) {
  }
  if (const auto sequence = IDL::traits<DynamicAny::DynSequence>::narrow(any)) try {
      sequence->set_length(sequence->get_length() + 1);
    } catch (const DynAny::InvalidValue&) {
    }
  if (const auto of_union = IDL::traits<DynamicAny::DynUnion>::narrow(any)) try {
      of_union->set_to_default_member();
    } catch (const DynAny::TypeMismatch&) {
    }
}

void use(const CORBA::Any& any) {
  DynamicAny::DynAnyFactory factory(nullptr);
  const fuzz::Octets before = octets_of(any);
  const Reference dyn_any = factory.create_dyn_any(any);
  int left = 2000;
  open(dyn_any, left);
  fuzz::require(octets_of(dyn_any->to_any()) == before);
  fuzz::require(dyn_any->equal(dyn_any->copy()) || before.empty());
  change(dyn_any);
  (void)octets_of(dyn_any->to_any());
  const Reference initial = factory.create_dyn_any_from_type_code(any.type());
  open(initial, left = 2000);
  initial->assign(dyn_any);
  (void)initial->to_any();
}

}  // namespace

// A cycle of values holds itself; who takes values out has to open it.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  cdr::Decoder in({data + 1, size - 1}, 0, fuzz::format_of(data[0]));
  CORBA::Any any;
  if (!cdr::read_any(in, any)) return 0;
  try {
    use(any);
  } catch (const CORBA::SystemException&) {
  } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
  } catch (const DynAny::InvalidValue&) {
  } catch (const DynAny::TypeMismatch&) {
  }
  return 0;
}
