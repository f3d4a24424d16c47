// The runtime's dynamic requests and contexts for the classic mapping.
#include <takt/dynamic/request.h>

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/request_bridge.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/types.h"

namespace takt::classic {

class RequestHandle {
 public:
  const CORBA::object_reference<CORBA::Request> request;
};
class ContextHandle {
 public:
  const CORBA::object_reference<CORBA::Context> context;
};

namespace {

CORBA::Any any_of(AnyHandle* any) { return any ? any->any : CORBA::Any(); }

// As translating(), for user exceptions of other programs.
template <class Action>
auto calling(Action&& action) -> decltype(action()) {
  return translating([&] {
    try {
      return action();
    } catch (const CORBA::UnknownUserException& unknown) {
      raise_unknown_user(new AnyHandle(unknown.exception()));
    }
  });
}

}  // namespace

namespace request {

RequestHandle* make(Reference& target, const char* operation) {
  return translating([&] { return new RequestHandle{target.object->_request(operation)}; });
}
void free(RequestHandle* request) { delete request; }
void add_argument(RequestHandle& request, std::uint32_t flags, AnyHandle* value) {
  translating([&] { request.request->arguments()->add_value({}, any_of(value), flags); });
}
void set_return_type(RequestHandle& request, TypeCodeHandle& type) {
  translating([&] { request.request->set_return_type(type.type); });
}
void add_exception(RequestHandle& request, TypeCodeHandle& type) {
  request.request->exceptions().push_back(type.type);
}
void add_context(RequestHandle& request, const char* pattern) {
  request.request->contexts().emplace_back(pattern);
}
void set_context(RequestHandle& request, ContextHandle& context) {
  translating([&] { request.request->ctx(context.context); });
}
void invoke(RequestHandle& request) {
  calling([&] { request.request->invoke(); });
}
void send_oneway(RequestHandle& request) {
  calling([&] { request.request->send_oneway(); });
}
void send_deferred(RequestHandle& request) {
  calling([&] { request.request->send_deferred(); });
}
void get_response(RequestHandle& request) {
  calling([&] { request.request->get_response(); });
}
bool poll_response(RequestHandle& request) {
  return translating([&] { return request.request->poll_response(); });
}
AnyHandle* argument(RequestHandle& request, std::uint32_t index) {
  return translating([&] { return new AnyHandle(request.request->arguments()->item(index)->value()); });
}
AnyHandle* result(RequestHandle& request) {
  return translating([&] { return new AnyHandle(request.request->return_value()); });
}

}  // namespace request

namespace context {

ContextHandle* default_of(OrbHandle& orb) {
  return translating([&] { return new ContextHandle{orb.orb->get_default_context()}; });
}
void free(ContextHandle* context) { delete context; }
const char* name(ContextHandle& context) { return context.context->context_name().c_str(); }
ContextHandle* create_child(ContextHandle& context, const char* name) {
  return translating([&] { return new ContextHandle{context.context->create_child(name)}; });
}
void set(ContextHandle& context, const char* name, AnyHandle* value) {
  translating([&] { context.context->set_one_value(name, any_of(value)); });
}
void remove(ContextHandle& context, const char* pattern) {
  translating([&] { context.context->delete_values(pattern); });
}
std::vector<std::pair<std::string, AnyHandle*>> get(ContextHandle& context, const char* scope,
                                                    std::uint32_t flags, const char* pattern) {
  return translating([&] {
    std::vector<std::pair<std::string, AnyHandle*>> list;
    const auto values = context.context->get_values(scope, flags, pattern);
    for (const auto& item : values->_items()) list.emplace_back(item->name(), new AnyHandle(item->value()));
    return list;
  });
}

}  // namespace context

}  // namespace takt::classic
