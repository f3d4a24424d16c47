// The runtime's dynamic requests and contexts for the classic mapping.
#include <map>
#include <string>

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/request_bridge.h"
#include "classic/bridge/request_handles.h"
#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

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
  return translating([&] { return new RequestHandle{target.object()->_request(operation)}; });
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

void write(Writer& out, ContextHandle* context, const char* const* patterns, std::size_t count) {
  std::map<std::string, std::string> values;
  if (context)
    for (std::size_t i = 0; i < count; ++i) values.merge(context->context->_matching(patterns[i]));
  cdr::Encoder& to = encoder(out);
  to.put(static_cast<std::uint32_t>(2 * values.size()));
  for (const auto& [name, value] : values) {
    to.put_string(name);
    to.put_string(value);
  }
}
ContextHandle* read(Reader& in) {
  const auto context = CORBA::make_reference<CORBA::Context>();
  cdr::Decoder& from = decoder(in);
  std::uint32_t strings = 0;
  if (from.remaining() != 0) from.get_count(strings, 5);
  for (std::uint32_t i = 0; i + 1 < strings && from.ok(); i += 2) {
    std::string name, text;
    if (!from.get_string(name) || !from.get_string(text)) break;
    CORBA::Any value;
    value <<= text;
    context->set_one_value(name, value);
  }
  return new ContextHandle{context};
}

}  // namespace context

}  // namespace takt::classic
