// Types of module CORBA that IDL may name without an #include: names, numbers, Current, InterfaceDef and
// Environment (CORBA 3.0.3: 4.2, 4.8, 10). C++14.
#pragma once

#include <takt/classic/any.h>

// An object of the ORB's own, with the members that each such class has.
#define TAKT_CLASSIC_OWN_OBJECT(NAME)                            \
 public:                                                         \
  typedef NAME##_ptr _ptr_type;                                  \
  typedef NAME##_var _var_type;                                  \
  static NAME##_ptr _duplicate(NAME##_ptr object);               \
  static NAME##_ptr _narrow(::CORBA::Object_ptr object);         \
  static NAME##_ptr _nil();                                      \
  static const char* const _PD_repoId;                           \
  bool _takt_has_type(const char* repository_id) const override; \
                                                                 \
 protected:                                                      \
  NAME() {}                                                      \
                                                                 \
 public:
#define TAKT_CLASSIC_OBJECT_TYPES(NAME)              \
  class NAME;                                        \
  typedef NAME* NAME##_ptr;                          \
  typedef takt::classic::ObjectVar<NAME> NAME##_var; \
  typedef takt::classic::ObjectOut<NAME> NAME##_out;

namespace CORBA {
inline namespace takt_classic_ {

// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_ORB_TEXTS(X) X(Identifier) X(RepositoryId) X(VersionSpec)
#define TAKT_CLASSIC_ORB_NUMBERS(X) \
  X(PolicyType, ULong, ulong) X(ServiceType, UShort, ushort) X(ServiceOption, ULong, ulong) \
  X(ServiceDetailType, ULong, ulong)
// clang-format on
#define TAKT_CLASSIC_DECLARE(NAME)                  \
  typedef char* NAME;                               \
  typedef String_var NAME##_var;                    \
  typedef String_out NAME##_out;                    \
  extern takt::classic::TypeNode _takt_type_##NAME; \
  extern const TypeCode_ptr _tc_##NAME;
TAKT_CLASSIC_ORB_TEXTS(TAKT_CLASSIC_DECLARE)
#undef TAKT_CLASSIC_DECLARE
#define TAKT_CLASSIC_DECLARE(NAME, TYPE, KIND)      \
  typedef TYPE NAME;                                \
  typedef NAME& NAME##_out;                         \
  extern takt::classic::TypeNode _takt_type_##NAME; \
  extern const TypeCode_ptr _tc_##NAME;
TAKT_CLASSIC_ORB_NUMBERS(TAKT_CLASSIC_DECLARE)
#undef TAKT_CLASSIC_DECLARE

TAKT_CLASSIC_OBJECT_TYPES(Current)
// The base of interfaces to what the calling thread has.
class Current : public virtual Object {
  TAKT_CLASSIC_OWN_OBJECT(Current)
};

TAKT_CLASSIC_OBJECT_TYPES(InterfaceDef)
// An interface in an interface repository. References can be passed on, but have no operations.
class InterfaceDef : public virtual Object {
  TAKT_CLASSIC_OWN_OBJECT(InterfaceDef)
};

TAKT_CLASSIC_OBJECT_TYPES(IDLType)
// A type in an interface repository. References can be passed on, but have no operations.
class IDLType : public virtual Object {
  TAKT_CLASSIC_OWN_OBJECT(IDLType)
};

#define TAKT_CLASSIC_DECLARE(NAME)                  \
  extern takt::classic::TypeNode _takt_type_##NAME; \
  extern const TypeCode_ptr _tc_##NAME;
TAKT_CLASSIC_DECLARE(Current)
TAKT_CLASSIC_DECLARE(IDLType)
TAKT_CLASSIC_DECLARE(InterfaceDef)
TAKT_CLASSIC_DECLARE(Policy)
#undef TAKT_CLASSIC_DECLARE
TAKT_CLASSIC_ANY_OBJECT(InterfaceDef, _takt_type_InterfaceDef)

#define TAKT_CLASSIC_COUNTED_TYPES(NAME)             \
  class NAME;                                        \
  typedef NAME* NAME##_ptr;                          \
  typedef takt::classic::ObjectVar<NAME> NAME##_var; \
  typedef takt::classic::ObjectOut<NAME> NAME##_out;
TAKT_CLASSIC_COUNTED_TYPES(Context)
TAKT_CLASSIC_COUNTED_TYPES(ContextList)
TAKT_CLASSIC_COUNTED_TYPES(Environment)
TAKT_CLASSIC_COUNTED_TYPES(ExceptionList)
TAKT_CLASSIC_COUNTED_TYPES(NamedValue)
TAKT_CLASSIC_COUNTED_TYPES(NVList)
TAKT_CLASSIC_COUNTED_TYPES(Request)

// Holds the exception of a call that was made without generated code. One thread at a time.
class Environment : public takt::classic::Counted {
 public:
  typedef Environment_ptr _ptr_type;
  typedef Environment_var _var_type;
  Environment() : exception_(nullptr) {}
  ~Environment() override { delete exception_; }
  static Environment_ptr _duplicate(Environment_ptr environment) {
    if (environment) environment->_add_ref();
    return environment;
  }
  static Environment_ptr _nil() { return nullptr; }

  Exception* exception() const { return exception_; }
  void exception(Exception* exception);  // takes it over
  void clear() { exception(nullptr); }

 private:
  Exception* exception_;
};

}  // namespace takt_classic_
}  // namespace CORBA
