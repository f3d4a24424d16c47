// Values in the classic mapping: CORBA::ValueBase, factories, and what generated valuetypes and boxes are
// made of (CORBA 3.0.3, C++ mapping 1.17). C++14.
//
// A value is counted: a new one has one reference, its creator's. A null pointer is the null value.
#pragma once

#include <takt/classic/any.h>
#include <takt/classic/value_hooks.h>

namespace CORBA {
inline namespace takt_classic_ {

class ValueBase;
typedef ValueBase* ValueBase_ptr;
typedef takt::classic::ObjectVar<ValueBase> ValueBase_var;
typedef takt::classic::ObjectOut<ValueBase> ValueBase_out;

// The base of all values.
class ValueBase : public takt::classic::ValueImplementation {
 public:
  typedef ValueBase_ptr _ptr_type;
  typedef ValueBase_var _var_type;
  virtual void _add_ref() = 0;
  virtual void _remove_ref() = 0;
  virtual ULong _refcount_value() = 0;
  // A deep copy, in which each value is once; the caller's. NO_IMPLEMENT if the class of one is the
  // application's, and does not override this.
  virtual ValueBase* _copy_value();
  static ValueBase* _downcast(ValueBase* value) { return value; }
  static ValueBase* _duplicate(ValueBase* value) {
    if (value) value->_add_ref();
    return value;
  }
  static ValueBase* _nil() { return nullptr; }

  void _takt_add_ref() override { _add_ref(); }
  void _takt_remove_ref() override { _remove_ref(); }
  unsigned long _takt_references() override { return _refcount_value(); }

 protected:
  ValueBase() {}
  ValueBase(const ValueBase& from) : ValueImplementation(from) {}
  ~ValueBase() override {}

 private:
  void operator=(const ValueBase&);
};
inline Boolean is_nil(ValueBase* value) { return !value; }
inline void release(ValueBase* value) {
  if (value) value->_remove_ref();
}
inline void add_ref(ValueBase* value) {
  if (value) value->_add_ref();
}
inline void remove_ref(ValueBase* value) {
  if (value) value->_remove_ref();
}

// Counts: for classes of the application's, class V_i : public virtual OBV_M::V, public virtual
// CORBA::DefaultValueRefCountBase.
class DefaultValueRefCountBase : public virtual ValueBase {
 public:
  void _add_ref() override { count_.fetch_add(1, std::memory_order_relaxed); }
  void _remove_ref() override {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  ULong _refcount_value() override { return count_.load(); }

 protected:
  DefaultValueRefCountBase() : count_(1) {}
  DefaultValueRefCountBase(const DefaultValueRefCountBase& from) : ValueBase(from), count_(1) {}
  ~DefaultValueRefCountBase() override {}

 private:
  std::atomic<ULong> count_;
};

class ValueFactoryBase;
typedef ValueFactoryBase* ValueFactory;
typedef ValueFactoryBase* ValueFactoryBase_ptr;
typedef takt::classic::ObjectVar<ValueFactoryBase> ValueFactoryBase_var;
// Makes values that arrive; counted as values are. Any thread calls create_for_unmarshal().
class ValueFactoryBase : public takt::classic::FactoryImplementation {
 public:
  ~ValueFactoryBase() override {}
  virtual void _add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  virtual void _remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  virtual ULong _refcount_value() { return count_.load(); }
  static ValueFactory _downcast(ValueFactory factory) { return factory; }
  static ValueFactory _duplicate(ValueFactory factory) {
    if (factory) factory->_add_ref();
    return factory;
  }
  static ValueFactory _nil() { return nullptr; }

  takt::classic::ValueImplementation* _takt_create() override { return create_for_unmarshal(); }
  void _takt_add_ref() override { _add_ref(); }
  void _takt_remove_ref() override { _remove_ref(); }
  ValueFactoryBase(const ValueFactoryBase&) = delete;
  ValueFactoryBase& operator=(const ValueFactoryBase&) = delete;

 protected:
  ValueFactoryBase() : count_(1) {}

 private:
  virtual ValueBase* create_for_unmarshal() = 0;
  std::atomic<ULong> count_;
};
inline Boolean is_nil(ValueFactory factory) { return !factory; }
inline void release(ValueFactory factory) {
  if (factory) factory->_remove_ref();
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

void write_value(Writer& out, CORBA::ValueBase* value);
// The caller's; null for null, and after a failure. `id` is that of the declared type; empty: any.
CORBA::ValueBase* read_value(Reader& in, const char* id);

// As Proxies, for values.
template <class T>
struct ValueProxies {
  static void write(Writer& out, T* value) { write_value(out, value); }
  static T* read(Reader& in) {
    CORBA::ValueBase* const value = read_value(in, T::_takt_formal_id());
    T* const same = dynamic_cast<T*>(value);
    if (value && !same) {
      CORBA::release(value);
      refuse_value(in);
    }
    return same;
  }
};
template <>
struct Proxies<CORBA::ValueBase> {
  static void write(Writer& out, CORBA::ValueBase* value) { write_value(out, value); }
  static CORBA::ValueBase* read(Reader& in) { return read_value(in, ""); }
};

extern TypeNode value_base_type;

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {
extern const TypeCode_ptr _tc_ValueBase;
Boolean operator>>=(const Any& any, const Any::to_value& to);
}  // namespace takt_classic_
}  // namespace CORBA
