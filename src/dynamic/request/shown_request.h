// The values of a dynamic request, for interceptors of its calls.
#pragma once

#include <takt/dynamic/request.h>
#include <takt/invocation/client_call.h>

#include "reference/shown_values.h"

namespace takt::dynamic {

// While it lives, the request's values are shown. On the stack of the thread that makes the call.
class ShownRequest final : private reference::ShownValues {
 public:
  // `call`: has the reply; null for calls within the process.
  ShownRequest(const CORBA::Request& request, invocation::ClientCall* call)
      : request_(request), call_(call), shown_(request.operation_, *this) {}

 private:
  std::optional<std::vector<Argument>> arguments(bool returned) const override;
  CORBA::Any result() const override { return request_.result_->value(); }
  std::optional<CORBA::Any> exception() const override;
  const std::vector<CORBA::typecode_reference>* exceptions() const override { return &request_.exceptions_; }
  const std::vector<std::string>* contexts() const override { return &request_.contexts_; }
  std::optional<std::vector<std::string>> context() const override;

  const CORBA::Request& request_;
  invocation::ClientCall* const call_;
  const reference::ShownCall shown_;
};

// The values of a list of arguments, without those of out arguments unless they have been returned.
std::vector<reference::ShownValues::Argument> shown_arguments(const CORBA::NVList& list, bool returned);

}  // namespace takt::dynamic
