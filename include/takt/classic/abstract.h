// Abstract interfaces in the classic mapping: what objects and values have in common (CORBA 3.0.3, chapter
// 6). C++14.
//
// An interface that inherits from the abstract interface A, and a valuetype that supports it, are classes
// derived from A. A's own operations call the object; values override them.
#pragma once

#include <cstring>

#include <takt/classic/object.h>
#include <takt/classic/value.h>

namespace CORBA {
inline namespace takt_classic_ {

typedef AbstractBase* AbstractBase_ptr;
typedef takt::classic::ObjectVar<AbstractBase> AbstractBase_var;
typedef takt::classic::ObjectOut<AbstractBase> AbstractBase_out;

// The base of all abstract interfaces. Counted as the object or value is.
class AbstractBase {
 public:
  typedef AbstractBase_ptr _ptr_type;
  typedef AbstractBase_var _var_type;
  static AbstractBase_ptr _duplicate(AbstractBase_ptr object);
  static AbstractBase_ptr _narrow(takt::classic::AbstractPointer object) { return _duplicate(object.object); }
  static AbstractBase_ptr _nil();
  static const char* const _PD_repoId;

  // The object or value behind the reference, as the caller's; the other function returns nil.
  Object_ptr _to_object();
  ValueBase* _to_value();

  // For stubs. NO_IMPLEMENT if this is a value that does not override the operation.
  takt::classic::Reference* _takt_abstract_reference() const;

 protected:
  AbstractBase() {}
  virtual ~AbstractBase() {}
};

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// The object, not duplicated; null if there is a value.
CORBA::Object_ptr object_behind(AbstractPointer pointer);
void add_abstract_reference(CORBA::AbstractBase* object);
// A boolean tells an object from a value; nil is a null value (CORBA 3.0.3, 15.3.7).
void write_abstract(Writer& out, AbstractPointer pointer);

// As Proxies, for abstract interfaces.
template <class T>
struct AbstractProxies {
  // The stub of an object that is only known to be a T.
  struct Made final : T, virtual CORBA::Object {
    bool _takt_has_type(const char* id) const override {
      return std::strcmp(id, T::_PD_repoId) == 0 || CORBA::Object::_takt_has_type(id);
    }
  };

  static T* nil() {
    static Made* const nil = new Made;  // never destroyed: other static objects refer to it
    return nil;
  }
  static T* make(Reference* reference) {
    if (!reference) return nil();
    Made* const made = new Made;
    made->CORBA::Object::reference_ = reference;
    return made;
  }
  static T* duplicate(T* object) {
    if (!object) return nil();
    add_abstract_reference(object);
    return object;
  }
  static T* narrow(CORBA::Object_ptr object) {
    if (CORBA::is_nil(object)) return nil();
    if (T* const same = dynamic_cast<T*>(object)) return duplicate(same);
    return object->_is_a(T::_PD_repoId) ? make(classic::duplicate(object->_takt_reference())) : nil();
  }
  static T* unchecked(CORBA::Object_ptr object) {
    if (CORBA::is_nil(object)) return nil();
    if (T* const same = dynamic_cast<T*>(object)) return duplicate(same);
    return make(classic::duplicate(object->_takt_reference()));
  }
  static T* narrow(AbstractPointer pointer) {
    if (T* const same = dynamic_cast<T*>(pointer.object)) return duplicate(same);
    return narrow(object_behind(pointer));
  }
  static T* unchecked(AbstractPointer pointer) {
    if (T* const same = dynamic_cast<T*>(pointer.object)) return duplicate(same);
    return unchecked(object_behind(pointer));
  }
  static void write(Writer& out, AbstractPointer pointer) { write_abstract(out, pointer); }
  static T* read(Reader& in) {
    bool is_object = false;
    classic::read(in, is_object);
    if (!good(in)) return nil();
    if (is_object) {
      Reference* reference = nullptr;
      read_reference(reference, in);
      return make(reference);
    }
    CORBA::ValueBase* const value = read_value(in, "");
    T* const same = dynamic_cast<T*>(value);
    if (value && !same) {
      CORBA::release(value);
      refuse_value(in);
    }
    return same ? same : nil();
  }
};
template <>
struct Proxies<CORBA::AbstractBase> : AbstractProxies<CORBA::AbstractBase> {};

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {
// The object or value in an Any whose type is an abstract interface.
Boolean operator>>=(const Any& any, const Any::to_abstract_base& to);
}  // namespace takt_classic_
}  // namespace CORBA
