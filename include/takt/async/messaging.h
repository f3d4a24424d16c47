// Reply handlers and exception holders (module Messaging; CORBA 3.1, 17.8 and 17.13).
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <takt/cdr/code_sets.h>
#include <takt/cdr/environment.h>
#include <takt/cdr/format.h>
#include <takt/cdr/mapping.h>
#include <takt/cdr/value.h>
#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace takt::async {

// An asynchronous call for coroutines and futures (<takt/async/pending.h>).
template <class Op>
class Pending;

// A user exception that the program's IDL declares, by its id.
class KnownException {
 public:
  using Raise = void (*)(cdr::Decoder& members);

  KnownException(std::string_view id, Raise raise);
  ~KnownException();
  KnownException(const KnownException&) = delete;
  KnownException& operator=(const KnownException&) = delete;

  // Throws the exception if one is known by that id and `members` has its members.
  static void raise(std::string_view id, cdr::Decoder& members);

 private:
  const std::string_view id_;
  const Raise raise_;
  KnownException* next_;
};

// The exceptions that operations with reply handlers raise. Generated code has one for each such interface,
// since an exception that arrives in a holder has only its id.
template <class... E>
class KnownExceptions {
 private:
  template <class Exception>
  struct Known : KnownException {
    Known() : KnownException(Exception::_description.id, &throw_from) {}
    static void throw_from(cdr::Decoder& members) {
      Exception exception{};
      cdr::Codec<Exception>::read(members, exception);
      if (members.ok()) throw exception;
    }
  };
  std::tuple<Known<E>...> known_;
};

}  // namespace takt::async

namespace Messaging {

namespace obv {
class ExceptionHolder;
}

// The exception that ended an asynchronous call. A value: it can be sent to a handler in another process.
class ExceptionHolder : public virtual CORBA::ValueBase {
 public:
  using _traits_type = IDL::traits<ExceptionHolder>;
  using _ref_type = CORBA::valuetype_reference<ExceptionHolder>;
  using _obv_type = ::Messaging::obv::ExceptionHolder;
  using _factory_type = CORBA::ValueFactoryBase;
  static constexpr std::string_view _value_ids[] = {"IDL:omg.org/Messaging/ExceptionHolder:1.0"};
  static constexpr takt::cdr::ValueDescription _value_description{_value_ids};

  // Throws the exception with its full type. In a holder from another process, that is a system exception, or
  // a user exception that the program knows from IDL compiled with --ami; UNKNOWN (OMG minor 1) for others.
  // Throws MARSHAL for a holder whose octets cannot be read. Any number of times.
  [[noreturn]] virtual void raise_exception() = 0;
  // The same.
  [[noreturn]] virtual void raise_exception_with_list(
      const std::vector<CORBA::typecode_reference>& exceptions) = 0;

  static const std::string& _repository_id();
  static CORBA::typecode_reference _type_code();

 protected:
  ExceptionHolder() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_ExceptionHolder{&ExceptionHolder::_type_code};

namespace obv {
class ExceptionHolder : public virtual ::Messaging::ExceptionHolder {
 public:
  ExceptionHolder() = default;
  explicit ExceptionHolder(std::exception_ptr held) : held_(std::move(held)) {}

  [[noreturn]] void raise_exception() override;
  [[noreturn]] void raise_exception_with_list(
      const std::vector<CORBA::typecode_reference>& exceptions) override;

  const takt::cdr::ValueDescription& _value_type() const override;
  // Fails for a user exception that no generated code describes.
  void _write_state(takt::cdr::Encoder& to) const override;
  bool _read_state(takt::cdr::Decoder& from) override;

 private:
  std::exception_ptr held_;  // null in a holder that has arrived, which has the rest
  bool is_system_ = false;
  bool little_endian_ = false;
  std::vector<std::uint8_t> octets_;
  takt::cdr::CodeSets code_sets_;
  takt::cdr::LongDoubleForm long_double_ = takt::cdr::LongDoubleForm::ieee;
  std::shared_ptr<takt::cdr::Environment> environment_;
};
}  // namespace obv

// The base of all reply handlers. A handler may be a servant of the generated skeleton. A class that derives
// from the generated AMI_FooHandler and overrides its operations is a handler too, made by
// CORBA::make_reference. It needs no POA, and cannot be sent to another process.
class ReplyHandler : public virtual CORBA::Object {
 public:
  using _traits_type = IDL::traits<ReplyHandler>;
  using _ref_type = CORBA::object_reference<ReplyHandler>;

  struct _operations {};

  static const std::string& _interface_repository_id();
  bool _is_a_local(const std::string& id) const override;
  static CORBA::typecode_reference _type_code();

 protected:
  ReplyHandler() = default;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_ReplyHandler{&ReplyHandler::_type_code};

}  // namespace Messaging

namespace takt::async {

// Null is a call that ended without a reason, INTERNAL. If there is no memory for it, the result holds
// NO_MEMORY.
Messaging::ExceptionHolder::_ref_type hold_exception(const std::exception_ptr& why);

}  // namespace takt::async

namespace CORBA {

// Makes a reply handler without a POA: T derives from a generated AMI_FooHandler and overrides its
// operations.
template <std::derived_from<Messaging::ReplyHandler> T, class... Arguments>
object_reference<T> make_reference(Arguments&&... arguments) {
  return takt::reference::make_local<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace CORBA
