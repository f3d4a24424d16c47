#include "call/value_types.h"

#include <memory>
#include <utility>

#include "cdr/values/opaque_value.h"

namespace takt::command {
namespace {

using CORBA::TCKind;

// Makes values that only carry their state.
class CarriedValues final : public CORBA::ValueFactoryBase {
 public:
  explicit CarriedValues(CORBA::typecode_reference type) : type_(std::move(type)) {}
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::valuetype_reference<CORBA::ValueBase>(std::make_shared<cdr::OpaqueValue>(type_));
  }

 private:
  const CORBA::typecode_reference type_;
};

bool is_carried(const cdr::TypeCodeParts& parts) {
  const bool is_value = parts.kind == TCKind::tk_value || parts.kind == TCKind::tk_event;
  return is_value && parts.modifier != CORBA::VM_CUSTOM && parts.modifier != CORBA::VM_ABSTRACT;
}

}  // namespace

void know_values(CORBA::ORB& orb, const Catalogue& catalogue) {
  for (const auto& [name, type] : catalogue.types)
    if (is_carried(type->_parts()) && type->_parts().id == name)
      orb.register_value_factory(name, std::make_shared<CarriedValues>(type));
}

}  // namespace takt::command
