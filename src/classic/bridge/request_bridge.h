// The runtime's dynamic requests and contexts, as the classic mapping calls them. Handles that are passed are
// borrowed, those that are returned are the caller's. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace takt {
namespace classic {

class AnyHandle;
class ContextHandle;
class Reader;
class Writer;
class OrbHandle;
class Reference;
class RequestHandle;
class TypeCodeHandle;

namespace request {

RequestHandle* make(Reference& target, const char* operation);
void free(RequestHandle* request);
void add_argument(RequestHandle& request, std::uint32_t flags, AnyHandle* value);
void set_return_type(RequestHandle& request, TypeCodeHandle& type);
void add_exception(RequestHandle& request, TypeCodeHandle& type);
void add_context(RequestHandle& request, const char* pattern);
void set_context(RequestHandle& request, ContextHandle& context);

void invoke(RequestHandle& request);
void send_oneway(RequestHandle& request);
void send_deferred(RequestHandle& request);
void get_response(RequestHandle& request);
bool poll_response(RequestHandle& request);
AnyHandle* argument(RequestHandle& request, std::uint32_t index);
AnyHandle* result(RequestHandle& request);

}  // namespace request

namespace context {

ContextHandle* default_of(OrbHandle& orb);
void free(ContextHandle* context);
const char* name(ContextHandle& context);
ContextHandle* create_child(ContextHandle& context, const char* name);
void set(ContextHandle& context, const char* name, AnyHandle* value);
void remove(ContextHandle& context, const char* pattern);
std::vector<std::pair<std::string, AnyHandle*>> get(ContextHandle& context, const char* scope,
                                                    std::uint32_t flags, const char* pattern);

// `context` may be null: no values.
void write(Writer& out, ContextHandle* context, const char* const* patterns, std::size_t count);
ContextHandle* read(Reader& in);

}  // namespace context

}  // namespace classic
}  // namespace takt
