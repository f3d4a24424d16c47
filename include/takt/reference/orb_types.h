// Declarations of orb.idl for generated code: names, sequences of basic types, boxed strings, and interface
// repository references (CORBA 3.0.3, 4.2, 5.5.2, 5.4 and chapter 10).
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/mapping.h>
#include <takt/cdr/value.h>
#include <takt/reference/policy.h>
#include <takt/reference/reference_codec.h>
#include <takt/standard/CORBA_typesC.h>

template <>
struct takt::cdr::EnumSize<CORBA::TCKind> {
  static constexpr std::uint32_t value = 37;
  static constexpr Description<37> description{"IDL:omg.org/CORBA/TCKind:1.0",
                                               "CORBA::TCKind",
                                               {"tk_null",
                                                "tk_void",
                                                "tk_short",
                                                "tk_long",
                                                "tk_ushort",
                                                "tk_ulong",
                                                "tk_float",
                                                "tk_double",
                                                "tk_boolean",
                                                "tk_char",
                                                "tk_octet",
                                                "tk_any",
                                                "tk_TypeCode",
                                                "tk_Principal",
                                                "tk_objref",
                                                "tk_struct",
                                                "tk_union",
                                                "tk_enum",
                                                "tk_string",
                                                "tk_sequence",
                                                "tk_array",
                                                "tk_alias",
                                                "tk_except",
                                                "tk_longlong",
                                                "tk_ulonglong",
                                                "tk_longdouble",
                                                "tk_wchar",
                                                "tk_wstring",
                                                "tk_fixed",
                                                "tk_value",
                                                "tk_value_box",
                                                "tk_native",
                                                "tk_abstract_interface",
                                                "tk_local_interface",
                                                "tk_component",
                                                "tk_home",
                                                "tk_event"}};
};

namespace CORBA {

inline typecode_reference _type_code_of_TCKind() { return takt::cdr::enum_typecode<TCKind>(); }
inline constexpr takt::cdr::TypeCodeConstant _tc_TCKind{&_type_code_of_TCKind};
template <class Out>
Out& operator<<(Out& out, TCKind kind) {
  return IDL::write(out, kind);
}

// An interface in an interface repository. References can be passed on, but have no operations.
class InterfaceDef : public virtual Object {
 public:
  using _traits_type = IDL::traits<InterfaceDef>;
  using _ref_type = object_reference<InterfaceDef>;
  struct _operations {};

  static const std::string& _interface_repository_id() {
    static const std::string id = "IDL:omg.org/CORBA/InterfaceDef:1.0";
    return id;
  }
  bool _is_a_local(const std::string& id) const override {
    return id == _interface_repository_id() || Object::_is_a_local(id);
  }
  static typecode_reference _type_code() {
    return takt::cdr::named_typecode<InterfaceDef>(TCKind::tk_objref, _interface_repository_id(),
                                                   "InterfaceDef");
  }

 protected:
  InterfaceDef() = default;
};

// The base of interfaces to a thread's own state, such as CosTransactions::Current (CORBA 3.0.3, 4.7).
class Current : public virtual Object {
 public:
  using _traits_type = IDL::traits<Current>;
  using _ref_type = object_reference<Current>;

  static const std::string& _interface_repository_id() {
    static const std::string id = "IDL:omg.org/CORBA/Current:1.0";
    return id;
  }
  bool _is_a_local(const std::string& id) const override {
    return id == _interface_repository_id() || Object::_is_a_local(id);
  }

 protected:
  Current() = default;
};

// The exception of a call, for the local interfaces of older services that pass it. The caller's copies are
// independent.
class Environment {
 public:
  // Null if the call raised none.
  const std::exception_ptr& exception() const { return exception_; }
  void exception(std::exception_ptr raised) { exception_ = std::move(raised); }
  void clear() { exception_ = nullptr; }

 private:
  std::exception_ptr exception_;
};

}  // namespace CORBA
