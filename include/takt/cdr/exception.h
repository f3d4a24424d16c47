// CORBA's exceptions (CORBA 3.0.3, 4.12; C++11 mapping).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace takt::cdr {
struct ExceptionForm;
}  // namespace takt::cdr

namespace CORBA {

enum CompletionStatus : std::uint32_t { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };

// A minor code that the OMG has assigned.
constexpr std::uint32_t omg_minor(std::uint32_t code) { return 0x4f4d0000u | code; }

class Exception : public std::exception {
 public:
  virtual const char* _rep_id() const noexcept = 0;
  virtual const char* _name() const noexcept = 0;
  [[noreturn]] virtual void _raise() const = 0;
};

// Base of the exceptions that an application's IDL declares.
class UserException : public Exception {
 public:
  const char* what() const noexcept override { return _rep_id(); }
  // How an Any takes a copy of the exception. Null unless generated code declares it.
  virtual const takt::cdr::ExceptionForm* _form() const noexcept { return nullptr; }
};

// Errors that any call may raise. what() gives the exception's name, minor code and completion status and, if
// the ORB knows, what was tried, on what, and what to do.
class SystemException : public Exception {
 public:
  std::uint32_t minor() const noexcept { return minor_; }
  void minor(std::uint32_t minor) noexcept { minor_ = minor; }
  CompletionStatus completed() const noexcept { return completed_; }
  void completed(CompletionStatus completed) noexcept { completed_ = completed; }
  // A text for users, which is not sent to the peer.
  std::string_view detail() const noexcept {
    return detail_ ? std::string_view(*detail_) : std::string_view();
  }
  const char* what() const noexcept override;

  // Out of line, because they are used by forty classes and wherever one is thrown.
  SystemException(const SystemException&) noexcept;
  SystemException& operator=(const SystemException&) noexcept;
  ~SystemException() override;

 protected:
  SystemException(std::uint32_t minor, CompletionStatus completed, std::string_view detail);

 private:
  std::uint32_t minor_;
  CompletionStatus completed_;
  std::shared_ptr<const std::string> detail_;  // shared, so that copying cannot throw
  mutable std::shared_ptr<const std::string> text_;
};

// clang-format off
#define TAKT_SYSTEM_EXCEPTIONS(X) \
  X(UNKNOWN) X(BAD_PARAM) X(NO_MEMORY) X(IMP_LIMIT) X(COMM_FAILURE) X(INV_OBJREF) X(NO_PERMISSION) \
  X(INTERNAL) X(MARSHAL) X(INITIALIZE) X(NO_IMPLEMENT) X(BAD_TYPECODE) X(BAD_OPERATION) \
  X(NO_RESOURCES) X(NO_RESPONSE) X(PERSIST_STORE) X(BAD_INV_ORDER) X(TRANSIENT) X(FREE_MEM) \
  X(INV_IDENT) X(INV_FLAG) X(INTF_REPOS) X(BAD_CONTEXT) X(OBJ_ADAPTER) X(DATA_CONVERSION) \
  X(OBJECT_NOT_EXIST) X(TRANSACTION_REQUIRED) X(TRANSACTION_ROLLEDBACK) X(INVALID_TRANSACTION) \
  X(INV_POLICY) X(CODESET_INCOMPATIBLE) X(REBIND) X(TIMEOUT) X(TRANSACTION_UNAVAILABLE) \
  X(TRANSACTION_MODE) X(BAD_QOS) X(INVALID_ACTIVITY) X(ACTIVITY_COMPLETED) X(ACTIVITY_REQUIRED) \
  X(THREAD_CANCELLED)
// clang-format on

#define TAKT_DEFINE(NAME)                                                                       \
  class NAME final : public SystemException {                                                   \
   public:                                                                                      \
    explicit NAME(std::uint32_t minor = 0, CompletionStatus completed = COMPLETED_NO,           \
                  std::string_view detail = {})                                                 \
        : SystemException(minor, completed, detail) {}                                          \
    const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/" #NAME ":1.0"; } \
    const char* _name() const noexcept override { return #NAME; }                               \
    [[noreturn]] void _raise() const override { throw *this; }                                  \
  };
TAKT_SYSTEM_EXCEPTIONS(TAKT_DEFINE)
#undef TAKT_DEFINE

}  // namespace CORBA

namespace takt::cdr {

enum class Error : std::uint8_t;

// Throws the exception with that repository id, or UNKNOWN minor 2 if there is none.
[[noreturn]] void raise_system_exception(std::string_view repository_id, std::uint32_t minor,
                                         CORBA::CompletionStatus completed, std::string_view detail = {});
// The exception, and its minor code, that reports an encoding or decoding error.
struct ErrorMapping {
  const char* repository_id;
  std::uint32_t minor;
};
ErrorMapping exception_for(Error error);
// Throws that exception. `what` is the failed action, to which the error's text is added. Allocates.
[[noreturn]] void throw_coding_error(Error error, CORBA::CompletionStatus completed, std::string_view what);
// The same for octets that cannot be decoded; the text has the CDR index of the octet where reading ended.
// `more` ends it.
[[noreturn]] void throw_decoding_error(Error error, std::size_t octet, CORBA::CompletionStatus completed,
                                       std::string_view what, std::string_view more = {});

}  // namespace takt::cdr
