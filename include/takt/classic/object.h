// Object references in the classic mapping. C++14.
//
// X_ptr is a pointer to a counted proxy. Nil is a proxy of its own per interface, whose operations throw
// INV_OBJREF; a null pointer also counts as nil. Counting is atomic, so proxies may be shared between
// threads.
#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

#include <takt/classic/exception.h>
#include <takt/classic/local.h>
#include <takt/classic/string.h>
#include <takt/classic/wire.h>

namespace takt {
namespace classic {
template <class T>
struct Proxies;
template <class T>
struct Locals;
template <class T>
struct AbstractProxies;  // <takt/classic/abstract.h>
template <class T>
class ObjectVar;
template <class T>
class ObjectOut;
template <class T>
class ObjectMember;
template <class T>
class ObjectElement;  // <takt/classic/sequence.h>

struct Nil {};

// The base of objects that exist only in the program, such as requests. A new one has one reference, its
// creator's; the last _remove_ref() deletes it. A null pointer is nil.
class Counted {
 public:
  void _add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void _remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 protected:
  Counted() : count_(1) {}
  virtual ~Counted() {}

 private:
  std::atomic<CORBA::ULong> count_;
};
// INV_OBJREF: an operation was called on nil.
[[noreturn]] void raise_nil();
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {
class AbstractBase;
class Object;
class ValueBase;
}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {
// A parameter to which pointers of all abstract interfaces convert. Conversions to Object* and ValueBase* are
// better ones, so that nothing is ambiguous for what derives from both.
struct AbstractPointer {
  AbstractPointer(CORBA::AbstractBase* of) : object(of) {}
  // _var, members, and elements of sequences, whose in() is such a pointer.
  template <class Held, class Pointer = decltype(std::declval<const Held&>().in()),
            class = typename std::enable_if<std::is_convertible<Pointer, CORBA::AbstractBase*>::value &&
                                            !std::is_convertible<Pointer, CORBA::Object*>::value &&
                                            !std::is_convertible<Pointer, CORBA::ValueBase*>::value>::type>
  AbstractPointer(const Held& of) : object(of.in()) {}
  CORBA::AbstractBase* object;
};
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

class Context;
class ContextList;
class ExceptionList;
class NamedValue;
class NVList;
class ORB;
class Policy;
class PolicyList;
class PolicyTypeSeq;
class Request;
typedef ULong Flags;
enum SetOverrideType { SET_OVERRIDE, ADD_OVERRIDE };

class Object;
typedef Object* Object_ptr;
typedef takt::classic::ObjectVar<Object> Object_var;
typedef takt::classic::ObjectOut<Object> Object_out;
typedef takt::classic::ObjectMember<Object> Object_member;

// The base of all proxies. Operations that ask the object may block up to the reference's round-trip timeout.
class Object {
 public:
  typedef Object_ptr _ptr_type;
  typedef Object_var _var_type;
  static Object_ptr _duplicate(Object_ptr object);
  static Object_ptr _narrow(Object_ptr object) { return _duplicate(object); }
  static Object_ptr _nil();
  static const char* const _PD_repoId;

  virtual Boolean _is_a(const char* repository_id);
  virtual Boolean _non_existent();
  Boolean _is_equivalent(Object_ptr other);
  ULong _hash(ULong maximum);
  virtual char* _repository_id();
  Object_ptr _get_component();
  ORB* _get_orb();
  virtual void _add_ref();
  virtual void _remove_ref();

  // Client policies (<takt/classic/policies.h>). A new reference to the same object with these policies; this
  // one does not change. InvalidPolicies for two of one type and nil, NO_PERMISSION for what is no client
  // policy.
  Object_ptr _set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);
  PolicyList* _get_policy_overrides(const PolicyTypeSeq& types);  // all if there are no types
  Policy* _get_policy(ULong type);                                // nil if none is set
  Policy* _get_client_policy(ULong type);
  // Opens the connection. False if the policies forbid a call.
  Boolean _validate_connection(PolicyList*& inconsistent);

  // Requests without generated code (<takt/classic/request.h>). They make no call; nil lists are made.
  Request* _request(const char* operation);
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       Request*& request, Flags flags);
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       ExceptionList* exceptions, ContextList* contexts, Request*& request, Flags flags);

  // For generated code and the library: the reference, null for nil; and whether the proxy's type is or
  // derives from that interface.
  takt::classic::Reference* _takt_reference() const { return reference_; }
  virtual bool _takt_has_type(const char* repository_id) const;

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 protected:
  Object() : reference_(nullptr), count_(1) {}
  virtual ~Object();

 private:
  template <class T>
  friend struct takt::classic::Proxies;
  template <class T>
  friend struct takt::classic::AbstractProxies;
  friend class LocalObject;
  takt::classic::Reference* reference_;  // owned
  std::atomic<ULong> count_;
};

class LocalObject;
typedef LocalObject* LocalObject_ptr;
typedef takt::classic::ObjectVar<LocalObject> LocalObject_var;
typedef takt::classic::ObjectOut<LocalObject> LocalObject_out;

// The base of objects that implement a local interface: class X : public virtual M::L, public virtual
// CORBA::LocalObject. A new one has one reference, its creator's; the last _remove_ref() deletes it. It
// cannot be sent (MARSHAL), and has no operations of remote objects (NO_IMPLEMENT).
class LocalObject : public virtual Object, public takt::classic::LocalImplementation {
 public:
  typedef LocalObject_ptr _ptr_type;
  typedef LocalObject_var _var_type;
  static LocalObject_ptr _duplicate(LocalObject_ptr object);
  static LocalObject_ptr _narrow(Object_ptr object);
  static LocalObject_ptr _nil();

  Boolean _non_existent() override { return false; }
  bool _takt_supports(const char* repository_id) const override { return _takt_has_type(repository_id); }
  void _takt_add_ref() override { _add_ref(); }
  void _takt_remove_ref() override { _remove_ref(); }

 protected:
  LocalObject();
  explicit LocalObject(takt::classic::Nil) {}  // for generated code
  ~LocalObject() override;
};

class TypeCode;
class ValueBase;
class ValueFactoryBase;
Boolean is_nil(takt::classic::AbstractPointer object);
void release(takt::classic::AbstractPointer object);
Boolean is_nil(ValueBase* value);
void release(ValueBase* value);
Boolean is_nil(ValueFactoryBase* factory);
void release(ValueFactoryBase* factory);
Boolean is_nil(ORB* orb);
void release(ORB* orb);
Boolean is_nil(TypeCode* type);
void release(TypeCode* type);
inline Boolean is_nil(const takt::classic::Counted* object) { return !object; }
inline void release(takt::classic::Counted* object) {
  if (object) object->_remove_ref();
}
inline Boolean is_nil(Object_ptr object) { return !object || !object->_takt_reference(); }
inline void release(Object_ptr object) {
  if (object) object->_remove_ref();
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

Reference* duplicate(Reference* reference);  // null for null
void release(Reference* reference);
// A proxy of the class that fits an object of the ORB's own (POA, ...), else a plain Object. Takes the
// reference over; nil for null.
CORBA::Object_ptr make_object(Reference* reference);
void write_reference(Writer& out, Reference* reference);
Reference* read_reference(Reference*& into, Reader& in);  // replaces `into`, and returns it

// Makes proxies of the generated class T, whose constructor is protected.
template <class T>
struct Proxies {
  struct Made final : T {};

  static T* nil() {
    static Made* const nil = new Made;  // never destroyed: other static objects refer to it
    return nil;
  }
  // Takes the reference over.
  static T* make(Reference* reference) {
    if (!reference) return nil();
    T* const made = new Made;
    made->CORBA::Object::reference_ = reference;
    return made;
  }
  static T* duplicate(T* object) {
    if (!object) return nil();
    object->_add_ref();
    return object;
  }
  static T* unchecked(CORBA::Object_ptr object) {
    if (CORBA::is_nil(object)) return nil();
    if (T* const same = dynamic_cast<T*>(object)) return duplicate(same);
    return make(classic::duplicate(object->_takt_reference()));
  }
  // Asks the object unless the proxy's type decides it.
  static T* narrow(CORBA::Object_ptr object) {
    if (CORBA::is_nil(object)) return nil();
    if (T* const same = dynamic_cast<T*>(object)) return duplicate(same);
    return object->_is_a(T::_PD_repoId) ? make(classic::duplicate(object->_takt_reference())) : nil();
  }
  static void write(Writer& out, CORBA::Object_ptr object) {
    write_reference(out, object ? object->_takt_reference() : nullptr);
  }
  static T* read(Reader& in) {
    Reference* reference = nullptr;
    read_reference(reference, in);
    return make(reference);
  }
};

// As Proxies, for a local interface, whose objects are the application's own.
template <class T>
struct Locals {
  static T* duplicate(T* object) {
    if (!object) return T::_nil();
    object->_add_ref();
    return object;
  }
  static T* narrow(CORBA::Object_ptr object) {
    T* const same = dynamic_cast<T*>(object);
    return same ? duplicate(same) : T::_nil();
  }
};

// The operations of _var, members, elements and generated code on references of T, and on values. The code
// for an interface that an IDL file only declares leaves these functions to the file that defines it, which
// instantiates them. So they are not inline.
template <class T>
struct Handles {
  static T* nil();
  static T* duplicate(T* object);
  static void release(T* object);
  static void write(Writer& out, T* object);
  static T* read(Reader& in);
};
template <class T>
T* Handles<T>::nil() {
  return T::_nil();
}
template <class T>
T* Handles<T>::duplicate(T* object) {
  return T::_duplicate(object);
}
template <class T>
void Handles<T>::release(T* object) {
  CORBA::release(object);
}
template <class T>
void Handles<T>::write(Writer& out, T* object) {
  Proxies<T>::write(out, object);
}
template <class T>
T* Handles<T>::read(Reader& in) {
  return Proxies<T>::read(in);
}
template <class T>
T* duplicated(T* object) {
  return Handles<T>::duplicate(object);
}

// Replaces the reference in `into`.
template <class T>
void read_object(Reader& in, T*& into) {
  T* const read = Handles<T>::read(in);
  Handles<T>::release(into);
  into = read;
}

// X_var: owns a reference. It takes over pointers, and duplicates what other objects own.
template <class T>
class ObjectVar {
 public:
  ObjectVar() : object_(Handles<T>::nil()) {}
  ObjectVar(T* object) : object_(object) {}
  ObjectVar(const ObjectVar& from) : object_(Handles<T>::duplicate(from.object_)) {}
  ObjectVar(const ObjectMember<T>& from) : object_(Handles<T>::duplicate(from.in())) {}
  ObjectVar(const ObjectElement<T>& from) : object_(Handles<T>::duplicate(from.in())) {}
  ~ObjectVar() { Handles<T>::release(object_); }
  ObjectVar& operator=(T* object) {
    Handles<T>::release(object_);
    object_ = object;
    return *this;
  }
  ObjectVar& operator=(const ObjectVar& from) {
    return &from == this ? *this : *this = Handles<T>::duplicate(from.object_);
  }
  ObjectVar& operator=(const ObjectMember<T>& from) { return *this = Handles<T>::duplicate(from.in()); }
  ObjectVar& operator=(const ObjectElement<T>& from) { return *this = Handles<T>::duplicate(from.in()); }

  T* operator->() const { return object_ ? object_ : Handles<T>::nil(); }
  operator T*() const { return object_; }
  operator T*&() { return object_; }
  T* in() const { return object_; }
  T* ptr() const { return object_; }
  T*& inout() { return object_; }
  T*& out() {
    *this = Handles<T>::nil();
    return object_;
  }
  T* _retn() {
    T* const object = object_;
    object_ = Handles<T>::nil();
    return object;
  }

 private:
  // A _var or element of another interface does not convert: write X::_duplicate() or X::_narrow().
  template <class U>
  ObjectVar(const ObjectVar<U>&);
  template <class U>
  ObjectVar(const ObjectElement<U>&);
  template <class U>
  ObjectVar& operator=(const ObjectVar<U>&);
  template <class U>
  ObjectVar& operator=(const ObjectElement<U>&);
  T* object_;
};

// X_out: sets the caller's pointer to nil.
template <class T>
class ObjectOut : public OutPointer<T*> {
 public:
  ObjectOut(T*& object) : OutPointer<T*>(object, Handles<T>::nil()) {}
  ObjectOut(ObjectVar<T>& var) : OutPointer<T*>(var.out()) {}
  ObjectOut(const ObjectOut&) = default;
  ObjectOut& operator=(const ObjectOut&) = default;
  ObjectOut& operator=(const ObjectVar<T>& var) { return *this = Handles<T>::duplicate(var.in()); }
  ObjectOut& operator=(const ObjectElement<T>&) = delete;  // ownership would be unclear
  ObjectOut& operator=(T* object) {
    this->pointer_ = object;
    return *this;
  }
  T* operator->() { return this->pointer_; }
};

// A reference in a struct, a sequence, an array or an exception: as a _var.
template <class T>
class ObjectMember : public ObjectVar<T> {
 public:
  typedef ObjectVar<T> Var;
  ObjectMember() {}
  ObjectMember(T* object) : Var(object) {}
  ObjectMember(const ObjectMember& from) : Var(static_cast<const Var&>(from)) {}
  ObjectMember(const Var& from) : Var(from) {}
  ObjectMember(const ObjectElement<T>& from) : Var(from) {}
  ObjectMember& operator=(T* object) {
    Var::operator=(object);
    return *this;
  }
  ObjectMember& operator=(const ObjectMember& from) {
    Var::operator=(static_cast<const Var&>(from));
    return *this;
  }
  ObjectMember& operator=(const Var& from) {
    Var::operator=(from);
    return *this;
  }
  ObjectMember& operator=(const ObjectElement<T>& from) {
    Var::operator=(from);
    return *this;
  }
  void _takt_write(Writer& out) const { Handles<T>::write(out, this->in()); }
  void _takt_read(Reader& in) { *this = Handles<T>::read(in); }
};

}  // namespace classic
}  // namespace takt
