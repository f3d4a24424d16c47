#include <takt/dynamic/server_request.h>

#include <takt/cdr/environment.h>

#include "dynamic/request/results.h"

namespace CORBA {

namespace {

[[noreturn]] void throw_order(std::uint32_t minor, const char* why) {
  throw BAD_INV_ORDER(omg_minor(minor), COMPLETED_NO, why);
}

}  // namespace

takt::server::ServerCall& ServerRequest::call() const {
  if (!call_) throw_order(0, "the request has been answered, since invoke() has returned");
  return *call_;
}

void ServerRequest::arguments(const object_reference<NVList>& list) {
  takt::cdr::Decoder& in = call().arguments();
  if (stage_ != Stage::none) throw_order(7, "the request's arguments are asked for once, and first");
  if (!list) throw BAD_PARAM(0, COMPLETED_NO, "a nil list for a request's arguments");
  stage_ = Stage::arguments;
  arguments_ = list;
  for (const auto& item : list->_items()) {
    if ((item->flags() & ARG_IN) == 0) continue;
    takt::dynamic::Results::read(in, *item);
    if (!in.ok())
      takt::cdr::throw_decoding_error(in.error(), in.position(), COMPLETED_NO,
                                      "the request does not have the arguments that its servant expects");
  }
}

object_reference<Context> ServerRequest::ctx() {
  takt::cdr::Decoder& in = call().arguments();
  if (stage_ != Stage::arguments) throw_order(8, "a context is asked for once, after the arguments");
  stage_ = Stage::context;
  auto context = make_reference<Context>();
  if (in.remaining() == 0) return context;
  std::uint32_t strings = 0;
  in.get_count(strings, 5);
  for (std::uint32_t i = 0; i + 1 < strings && in.ok(); i += 2) {
    std::string name, text;
    if (!in.get_string(name) || !in.get_string(text)) break;
    Any value;
    value <<= text;
    context->set_one_value(name, value);
  }
  if (!in.ok())
    takt::cdr::throw_decoding_error(in.error(), in.position(), COMPLETED_NO,
                                    "the request's context cannot be read");
  return context;
}

void ServerRequest::set_result(const Any& value) {
  call();
  if (stage_ != Stage::arguments && stage_ != Stage::context)
    throw_order(9, "a result is set once, after the arguments and before an exception");
  stage_ = Stage::result;
  result_ = value;
}

void ServerRequest::set_exception(const Any& exception) {
  call();
  const typecode_reference type = exception.type();
  const TypeCode& actual = type->_unaliased();
  if (actual.kind() != TCKind::tk_except)
    throw BAD_PARAM(omg_minor(21), COMPLETED_NO, "what is set as a request's exception is none");
  if (stage_ == Stage::none && !actual.id().starts_with("IDL:omg.org/CORBA/"))
    throw_order(7, "a user exception is set after the arguments have been asked for");
  stage_ = Stage::exception;
  result_.reset();
  exception_ = exception;
}

}  // namespace CORBA
