// A value of a type that this program knows only by its TypeCode, as it passes through in an Any.
#pragma once

#include <string_view>
#include <vector>

#include <takt/cdr/any.h>

namespace takt::cdr {

class OpaqueValue final : public CORBA::ValueBase {
 public:
  explicit OpaqueValue(CORBA::typecode_reference type);

  const ValueDescription& _value_type() const override { return description_; }
  void _write_state(Encoder& encoder) const override;
  bool _read_state(Decoder& decoder) override;
  std::shared_ptr<CORBA::ValueBase> _new_value() const override;

 private:
  CORBA::typecode_reference type_;
  std::vector<std::string_view> ids_;  // ids of type_ and its bases
  ValueDescription description_;
  AnyContent state_;
};

}  // namespace takt::cdr
