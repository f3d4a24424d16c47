#include "dynamic/request/shown_request.h"

namespace takt::dynamic {

using reference::ShownValues;

std::vector<ShownValues::Argument> shown_arguments(const CORBA::NVList& list, bool returned) {
  std::vector<ShownValues::Argument> shown;
  for (const auto& item : list._items()) {
    const CORBA::Flags flags = item->flags() & CORBA::ARG_INOUT;
    const bool has_value = returned || flags != CORBA::ARG_OUT;
    const std::uint32_t mode = flags == CORBA::ARG_IN ? 0 : flags == CORBA::ARG_OUT ? 1 : 2;
    shown.push_back({has_value ? item->value() : CORBA::Any(), mode});
  }
  return shown;
}

std::optional<std::vector<ShownValues::Argument>> ShownRequest::arguments(bool returned) const {
  return shown_arguments(*request_.arguments_, returned);
}

std::optional<CORBA::Any> ShownRequest::exception() const {
  if (!call_) return std::nullopt;
  cdr::Decoder members(call_->reply());
  std::exception_ptr raised;
  if (!request_.raise_listed(members, call_->exception_id(), raised) || !members.ok()) return std::nullopt;
  try {
    std::rethrow_exception(raised);
  } catch (const CORBA::UnknownUserException& unknown) {
    return unknown.exception();
  }
}

std::optional<std::vector<std::string>> ShownRequest::context() const {
  std::vector<std::string> values;
  for (const auto& [name, text] : request_.sent_context()) {
    values.push_back(name);
    values.push_back(text);
  }
  return values;
}

}  // namespace takt::dynamic
