// The ORB and policies in the classic mapping. C++14.
#pragma once

#include <takt/classic/sequence.h>

namespace takt {
namespace classic {
class OrbHandle;  // incomplete
}
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

typedef ULong PolicyType;

class Policy;
typedef Policy* Policy_ptr;
typedef takt::classic::ObjectVar<Policy> Policy_var;
typedef takt::classic::ObjectOut<Policy> Policy_out;
// Immutable settings of an adapter or of a client's calls.
class Policy : public virtual Object {
 public:
  typedef Policy_ptr _ptr_type;
  typedef Policy_var _var_type;
  static Policy_ptr _duplicate(Policy_ptr policy);
  static Policy_ptr _narrow(Object_ptr object);
  static Policy_ptr _nil();
  static const char* const _PD_repoId;
  virtual PolicyType policy_type();
  virtual Policy_ptr copy();
  virtual void destroy() {}
  bool _takt_has_type(const char* repository_id) const override;

 protected:
  Policy() {}
};
TAKT_CLASSIC_SEQUENCE(PolicyList, takt::classic::Objects<Policy>)

class Any;
class EnumMemberSeq;
class Environment;
class StructMemberSeq;
class UnionMemberSeq;
class ValueMemberSeq;
class ORB;
typedef ORB* ORB_ptr;
typedef takt::classic::ObjectVar<ORB> ORB_var;
typedef takt::classic::ObjectOut<ORB> ORB_out;

// Any thread. After shutdown() functions throw BAD_INV_ORDER, after destroy() OBJECT_NOT_EXIST. It is large
// because the standard gives an ORB these operations.
class ORB {
 public:
  typedef StringSeq ObjectIdList;
  typedef StringSeq_var ObjectIdList_var;
  TAKT_CLASSIC_USER_EXCEPTION(InvalidName)

  static ORB_ptr _duplicate(ORB_ptr orb);
  static ORB_ptr _nil();

  char* id();
  // IOR:, corbaloc:, corbaname: and file: URLs. BAD_PARAM if the text is malformed.
  Object_ptr string_to_object(const char* text);
  char* object_to_string(Object_ptr object);
  ObjectIdList* list_initial_services();
  Object_ptr resolve_initial_references(const char* name);
  void register_initial_reference(const char* name, Object_ptr object);
  // A client policy (<takt/classic/messaging.h>). PolicyError for an unknown type or a wrong value.
  Policy_ptr create_policy(PolicyType type, const Any& value);

  // TypeCodes without generated code (<takt/classic/type_members.h>). BAD_PARAM for invalid names, ids,
  // member names and labels; BAD_TYPECODE for types that cannot be members.
  TypeCode* create_struct_tc(const char* id, const char* name, const StructMemberSeq& members);
  TypeCode* create_union_tc(const char* id, const char* name, TypeCode* discriminator,
                            const UnionMemberSeq& members);
  TypeCode* create_enum_tc(const char* id, const char* name, const EnumMemberSeq& members);
  TypeCode* create_alias_tc(const char* id, const char* name, TypeCode* original);
  TypeCode* create_exception_tc(const char* id, const char* name, const StructMemberSeq& members);
  TypeCode* create_interface_tc(const char* id, const char* name);
  TypeCode* create_abstract_interface_tc(const char* id, const char* name);
  TypeCode* create_local_interface_tc(const char* id, const char* name);
  TypeCode* create_native_tc(const char* id, const char* name);
  TypeCode* create_component_tc(const char* id, const char* name);
  TypeCode* create_home_tc(const char* id, const char* name);
  TypeCode* create_string_tc(ULong bound);  // 0: unbounded
  TypeCode* create_wstring_tc(ULong bound);
  TypeCode* create_fixed_tc(UShort digits, Short scale);
  TypeCode* create_sequence_tc(ULong bound, TypeCode* element);
  TypeCode* create_array_tc(ULong length, TypeCode* element);
  TypeCode* create_recursive_tc(const char* id);  // stands for the type around it that has this id
  TypeCode* create_value_tc(const char* id, const char* name, Short modifier, TypeCode* concrete_base,
                            const ValueMemberSeq& members);
  TypeCode* create_value_box_tc(const char* id, const char* name, TypeCode* boxed);

  // The factory of values with this repository id (<takt/classic/value.h>), which the ORB duplicates. Returns
  // the previous one, which is the caller's, or null.
  ValueFactoryBase* register_value_factory(const char* id, ValueFactoryBase* factory);
  void unregister_value_factory(const char* id);  // BAD_PARAM if there is none
  ValueFactoryBase* lookup_value_factory(const char* id);

  // For requests without generated code (<takt/classic/request.h>).
  void create_list(Long count, NVList*& list);
  void create_named_value(NamedValue*& value);
  void create_environment(Environment*& environment);
  void create_exception_list(ExceptionList*& list);
  void create_context_list(ContextList*& list);
  void get_default_context(Context*& context);

  // Serves requests until shutdown().
  void run();
  // The same for at most a time, from which what has passed is subtracted. Time has sec(), usec() and
  // set(seconds, microseconds), as ACE_Time_Value of TAO's programs.
  template <class Time>
  void run(Time& time) {
    _takt_run_for(time);
  }
  template <class Time>
  void run(Time* time) {
    time ? _takt_run_for(*time) : run();
  }
  Boolean work_pending();
  void perform_work();
  // Serves for the time, as run() does.
  template <class Time>
  void perform_work(Time& time) {
    _takt_run_for(time);
  }
  template <class Time>
  void perform_work(Time* time) {
    time ? _takt_run_for(*time) : perform_work();
  }
  void shutdown(Boolean wait_for_completion = false);
  void destroy();

  // Serves for that time; returns what is left of it.
  LongLong _takt_run_for(LongLong microseconds);
  template <class Time>
  void _takt_run_for(Time& time) {
    const LongLong left = _takt_run_for(LongLong(time.sec()) * 1000000 + LongLong(time.usec()));
    time.set(left / 1000000, left % 1000000);
  }

  takt::classic::OrbHandle* _takt_handle() const { return handle_; }
  static ORB_ptr _takt_make(takt::classic::OrbHandle* handle) { return new ORB(handle); }  // takes it over

  ORB(const ORB&) = delete;
  ORB& operator=(const ORB&) = delete;

 private:
  explicit ORB(takt::classic::OrbHandle* handle) : handle_(handle), count_(1) {}
  ~ORB();
  friend void release(ORB_ptr orb);
  takt::classic::OrbHandle& handle();

  takt::classic::OrbHandle* handle_;  // owned; null for nil
  std::atomic<ULong> count_;
};

// Returns the ORB of that name, and makes it if there is none. Takes -ORB options out of argv. `options` are
// pairs of a name, without -ORB, and a value, ended by {0, 0}; the command line's take precedence.
ORB_ptr ORB_init(int& argc, char** argv, const char* id = "", const char* options[][2] = nullptr);

}  // namespace takt_classic_
}  // namespace CORBA
