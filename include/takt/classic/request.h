// Requests without generated code in the classic mapping: Object::_request() and _create_request(), with
// lists of values, exceptions and contexts (CORBA 3.0.3, chapter 7). C++14.
//
// A null pointer is nil. One thread at a time.
#pragma once

#include <takt/classic/orb_types.h>

namespace takt {
namespace classic {
class ContextHandle;  // incomplete: the runtime's Context
class RequestHandle;  // incomplete: the runtime's Request
}  // namespace classic
}  // namespace takt

#define TAKT_CLASSIC_COUNTED(NAME)                  \
 public:                                            \
  typedef NAME##_ptr _ptr_type;                     \
  typedef NAME##_var _var_type;                     \
  static NAME##_ptr _duplicate(NAME##_ptr object) { \
    if (object) object->_add_ref();                 \
    return object;                                  \
  }                                                 \
  static NAME##_ptr _nil() { return nullptr; }

namespace CORBA {
inline namespace takt_classic_ {

TAKT_CLASSIC_USER_EXCEPTION(Bounds)

// A user exception of a dynamic request, as it came.
class UnknownUserException : public UserException {
 public:
  UnknownUserException() {}
  explicit UnknownUserException(const Any& exception) : exception_(exception) {}
  Any& exception() { return exception_; }
  const Any& exception() const { return exception_; }
  void _raise() const override;
  const char* _name() const override;
  const char* _rep_id() const override;
  static UnknownUserException* _downcast(Exception* exception) {
    return dynamic_cast<UnknownUserException*>(exception);
  }
  static const UnknownUserException* _downcast(const Exception* exception) {
    return dynamic_cast<const UnknownUserException*>(exception);
  }
  static UnknownUserException* _narrow(Exception* exception) { return _downcast(exception); }

 private:
  Any exception_;
};

typedef ULong Flags;
const Flags ARG_IN = 1, ARG_OUT = 2, ARG_INOUT = 3, CTX_RESTRICT_SCOPE = 15;

// A value with a name and a direction.
class NamedValue : public takt::classic::Counted {
  TAKT_CLASSIC_COUNTED(NamedValue)
  NamedValue(const char* name, Flags flags) : name_(name), flags_(flags) {}
  const char* name() const { return name_.in(); }
  Any* value() const { return &value_; }  // the NamedValue's
  Flags flags() const { return flags_; }

 private:
  String_var name_;
  mutable Any value_;
  Flags flags_;
};

// A list of counted objects. Items that are returned are the list's; an index out of range throws Bounds.
template <class T>
class CountedList : public takt::classic::Counted {
 public:
  typedef CORBA::Bounds Bounds;
  ULong count() const { return items_.length(); }

 protected:
  T* add_own(T* item) {
    items_.length(items_.length() + 1);
    items_[items_.length() - 1] = item;
    return item;
  }
  T* at(ULong index) const {
    if (index >= items_.length()) throw Bounds();
    return items_[index];
  }
  void remove_at(ULong index) {
    if (index >= items_.length()) throw Bounds();
    for (ULong i = index; i + 1 < items_.length(); ++i) items_[i] = T::_duplicate(items_[i + 1]);
    items_.length(items_.length() - 1);
  }

 private:
  takt::classic::UnboundedSequence<takt::classic::Objects<T>> items_;
};

// The arguments of an operation, in its order.
class NVList : public CountedList<NamedValue> {
  TAKT_CLASSIC_COUNTED(NVList)
  NamedValue_ptr add(Flags flags) { return add_item("", flags); }
  NamedValue_ptr add_item(const char* name, Flags flags) { return add_own(new NamedValue(name, flags)); }
  NamedValue_ptr add_value(const char* name, const Any& value, Flags flags) {
    const NamedValue_ptr item = add_item(name, flags);
    *item->value() = value;
    return item;
  }
  NamedValue_ptr add_item_consume(char* name, Flags flags);
  NamedValue_ptr add_value_consume(char* name, Any* value, Flags flags);
  NamedValue_ptr item(ULong index) const { return at(index); }
  void remove(ULong index) { remove_at(index); }
};

// The user exceptions that an operation may raise. BAD_PARAM for a nil TypeCode.
class ExceptionList : public CountedList<TypeCode> {
  TAKT_CLASSIC_COUNTED(ExceptionList)
  void add(TypeCode_ptr type) { add_consume(TypeCode::_duplicate(type)); }
  void add_consume(TypeCode_ptr type);
  TypeCode_ptr item(ULong index) const { return at(index); }
  void remove(ULong index) { remove_at(index); }
};

// Patterns of the names of context values that an operation sends.
class ContextList : public takt::classic::Counted {
  TAKT_CLASSIC_COUNTED(ContextList)
  typedef CORBA::Bounds Bounds;
  ULong count() const { return names_.length(); }
  void add(const char* name);
  void add_consume(char* name);
  const char* item(ULong index) const;
  void remove(ULong index);

 private:
  StringSeq names_;
};

// Texts with names; those of a parent hold where there is none of that name.
class Context : public takt::classic::Counted {
  TAKT_CLASSIC_COUNTED(Context)
  explicit Context(takt::classic::ContextHandle* handle, Context_ptr parent);  // takes both over
  ~Context() override;
  const char* context_name() const;
  Context_ptr parent() const { return parent_.in(); }
  void create_child(const char* name, Context_out child);
  // BAD_TYPECODE unless the value is a string.
  void set_one_value(const char* name, const Any& value);
  void set_values(NVList_ptr values);
  // A name, or a beginning followed by *. BAD_CONTEXT if there is none.
  void delete_values(const char* pattern);
  void get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values);
  takt::classic::ContextHandle& _takt_handle() const { return *handle_; }

 private:
  takt::classic::ContextHandle* const handle_;
  const Context_var parent_;
};

// One operation on one object. As with omniORB, what the operation raises is put into env(): system
// exceptions, and user exceptions as UnknownUserException; those that exceptions() does not list are UNKNOWN.
// Using a request in a wrong order throws BAD_INV_ORDER. A request is sent once.
class Request : public takt::classic::Counted {
  TAKT_CLASSIC_COUNTED(Request)
  // Takes all lists over; nil ones are made.
  Request(Object_ptr target, const char* operation, NVList_ptr arguments, NamedValue_ptr result,
          ExceptionList_ptr exceptions, ContextList_ptr contexts, Context_ptr context);
  ~Request() override;

  // These belong to the request.
  Object_ptr target() const { return target_.in(); }
  const char* operation() const { return operation_.in(); }
  NVList_ptr arguments() { return arguments_.in(); }
  NamedValue_ptr result() { return result_.in(); }
  Environment_ptr env() { return environment_.in(); }
  ExceptionList_ptr exceptions() { return exceptions_.in(); }
  ContextList_ptr contexts() { return contexts_.in(); }
  void ctx(Context_ptr context);
  Context_ptr ctx() const { return context_.in(); }

  // The value is put into what is returned. An out argument gets one of the type that is expected.
  Any& add_in_arg() { return added("", ARG_IN); }
  Any& add_in_arg(const char* name) { return added(name, ARG_IN); }
  Any& add_inout_arg() { return added("", ARG_INOUT); }
  Any& add_inout_arg(const char* name) { return added(name, ARG_INOUT); }
  Any& add_out_arg() { return added("", ARG_OUT); }
  Any& add_out_arg(const char* name) { return added(name, ARG_OUT); }
  void set_return_type(TypeCode_ptr type);  // void unless this says something else
  Any& return_value() { return *result_->value(); }

  // Blocks until the reply is there. What the operation raises is then in env(); with let_requests_throw(),
  // which programs of TAO's have, it is thrown too, here or by get_response().
  void invoke();
  void send_oneway();
  // Returns at once; a thread of the process makes the call.
  void send_deferred();
  // Blocks until the reply is there. Once for each send_deferred().
  void get_response();
  // Once it is true, the results are there, as after get_response(), which may be called all the same.
  Boolean poll_response();

 private:
  enum State { ready, sent, deferred, polled, taken };
  void require_ready() const;
  Any& added(const char* name, Flags flags);
  takt::classic::RequestHandle& begin();
  void require_deferred() const;
  void finish(void (*action)(takt::classic::RequestHandle&));
  void throw_failure() const;

  const Object_var target_;
  const String_var operation_;
  const NVList_var arguments_;
  const NamedValue_var result_;
  const ExceptionList_var exceptions_;
  const ContextList_var contexts_;
  Context_var context_;
  TypeCode_var return_type_;
  const Environment_var environment_;
  takt::classic::RequestHandle* handle_;
  ULong arguments_sent_;
  State state_;
};

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// From now on all requests of the process throw what their operations raise. Any thread.
void let_requests_throw();

// For operations with contexts: sends the values whose names match the patterns, those of the parents too.
// The context may be nil, and is lent.
void write_context(Writer& out, CORBA::Context_ptr context, const char* const* patterns, std::size_t count);
// A context with the values that have arrived; the caller's. Empty after a failure.
CORBA::Context_ptr read_context(Reader& in);

}  // namespace classic
}  // namespace takt
