// CORBA's exceptions in the classic mapping. C++14.
#pragma once

#include <cstdio>
#include <iosfwd>
#include <memory>
#include <string>

#include <takt/classic/basic_types.h>

namespace CORBA {
inline namespace takt_classic_ {

enum CompletionStatus { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };

// The base of all. Thrown by value, caught by reference.
class Exception {
 public:
  virtual ~Exception();
  virtual void _raise() const = 0;
  virtual const char* _name() const = 0;
  virtual const char* _rep_id() const = 0;
  // TAO's addition: prints "EXCEPTION, ", the text and what the exception is. Blocks as std::fprintf() does.
  void _tao_print_exception(const char* text, std::FILE* file = stdout) const;
  // TAO's addition: what the exception is, and why it was thrown. Allocates.
  std::string _info() const;
  static Exception* _downcast(Exception* exception) { return exception; }
  static const Exception* _downcast(const Exception* exception) { return exception; }
  // The older name of _downcast(), as in each class below.
  static Exception* _narrow(Exception* exception) { return exception; }

 protected:
  Exception() {}
  Exception(const Exception&) {}
  Exception& operator=(const Exception&) { return *this; }
};

// TAO's addition: writes _info().
std::ostream& operator<<(std::ostream& out, const Exception& exception);

class UserException : public Exception {
 public:
  ~UserException() override;
  static UserException* _downcast(Exception* exception) { return dynamic_cast<UserException*>(exception); }
  static const UserException* _downcast(const Exception* exception) {
    return dynamic_cast<const UserException*>(exception);
  }
  static UserException* _narrow(Exception* exception) { return _downcast(exception); }
  // Writes the exception's members; for skeletons.
  virtual void _takt_write(takt::classic::Writer&) const {}
};

// Minor codes of the standard are `OMGVMCID | number`.
const ULong OMGVMCID = 0x4f4d0000;

class SystemException : public Exception {
 public:
  SystemException(ULong minor, CompletionStatus completed);
  SystemException(const SystemException&);
  SystemException& operator=(const SystemException&);
  ~SystemException() override;

  ULong minor() const { return minor_; }
  void minor(ULong minor) { minor_ = minor; }
  CompletionStatus completed() const { return completed_; }
  void completed(CompletionStatus completed) { completed_ = completed; }
  // A text for people that says what failed and what to do; the exception's name if the ORB has no text. This
  // is Takt's own addition.
  const char* _text() const;
  // omniORB's addition: the name of the minor code, with the exception's before it
  // (TIMEOUT_CallTimedOutOnClient). Null for codes that neither the OMG nor omniORB has assigned. Valid for
  // ever.
  const char* NP_minorString() const;
  void _text(const char* text);

  static SystemException* _downcast(Exception* exception) {
    return dynamic_cast<SystemException*>(exception);
  }
  static const SystemException* _downcast(const Exception* exception) {
    return dynamic_cast<const SystemException*>(exception);
  }
  static SystemException* _narrow(Exception* exception) { return _downcast(exception); }

 private:
  ULong minor_;
  CompletionStatus completed_;
  std::shared_ptr<const std::string> text_;  // shared, so that copying does not throw
};

// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_SYSTEM_EXCEPTIONS(X) \
  X(UNKNOWN) X(BAD_PARAM) X(NO_MEMORY) X(IMP_LIMIT) X(COMM_FAILURE) X(INV_OBJREF) \
  X(NO_PERMISSION) X(INTERNAL) X(MARSHAL) X(INITIALIZE) X(NO_IMPLEMENT) X(BAD_TYPECODE) \
  X(BAD_OPERATION) X(NO_RESOURCES) X(NO_RESPONSE) X(PERSIST_STORE) X(BAD_INV_ORDER) \
  X(TRANSIENT) X(FREE_MEM) X(INV_IDENT) X(INV_FLAG) X(INTF_REPOS) X(BAD_CONTEXT) \
  X(OBJ_ADAPTER) X(DATA_CONVERSION) X(OBJECT_NOT_EXIST) X(TRANSACTION_REQUIRED) \
  X(TRANSACTION_ROLLEDBACK) X(INVALID_TRANSACTION) X(INV_POLICY) X(CODESET_INCOMPATIBLE) \
  X(REBIND) X(TIMEOUT) X(TRANSACTION_UNAVAILABLE) X(TRANSACTION_MODE) X(BAD_QOS) \
  X(INVALID_ACTIVITY) X(ACTIVITY_COMPLETED) X(ACTIVITY_REQUIRED) X(THREAD_CANCELLED)
// clang-format on

#define TAKT_CLASSIC_DEFINE(NAME)                                                           \
  class NAME : public SystemException {                                                     \
   public:                                                                                  \
    explicit NAME(ULong minor = 0, CompletionStatus completed = COMPLETED_NO)               \
        : SystemException(minor, completed) {}                                              \
    void _raise() const override;                                                           \
    const char* _name() const override;                                                     \
    const char* _rep_id() const override;                                                   \
    static NAME* _downcast(Exception* exception) { return dynamic_cast<NAME*>(exception); } \
    static const NAME* _downcast(const Exception* exception) {                              \
      return dynamic_cast<const NAME*>(exception);                                          \
    }                                                                                       \
    static NAME* _narrow(Exception* exception) { return _downcast(exception); }             \
  };
TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

}  // namespace takt_classic_
}  // namespace CORBA

// The functions of a user exception in a class or namespace of the ORB's own.
#define TAKT_CLASSIC_EXCEPTION_FUNCTIONS(NAME)                                                     \
  void _raise() const override;                                                                    \
  const char* _name() const override;                                                              \
  const char* _rep_id() const override;                                                            \
  static NAME* _downcast(::CORBA::Exception* exception) { return dynamic_cast<NAME*>(exception); } \
  static const NAME* _downcast(const ::CORBA::Exception* exception) {                              \
    return dynamic_cast<const NAME*>(exception);                                                   \
  }                                                                                                \
  static NAME* _narrow(::CORBA::Exception* exception) { return _downcast(exception); }
// Declares such an exception, without members.
#define TAKT_CLASSIC_USER_EXCEPTION(NAME)      \
  class NAME : public ::CORBA::UserException { \
   public:                                     \
    TAKT_CLASSIC_EXCEPTION_FUNCTIONS(NAME)     \
  };
