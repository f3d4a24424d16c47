// The runtime's dynamic skeletons, as the classic mapping calls them. Handles that are passed are borrowed,
// those that are returned are the caller's. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstdint>
#include <string>

namespace takt {
namespace classic {

class AnyHandle;
class ContextHandle;
class Reference;
class Servant;
class ServerRequestHandle;
class Upcall;

namespace server_request {

// Answers the call by `invoke`, which gets the request as its own, and throws exceptions of the runtime.
// False, without any effect, for the operations of CORBA::Object.
bool serve(Upcall& call, void (*invoke)(void* servant, ServerRequestHandle* request), void* servant);
// The interface of the object of the upcall that the thread runs on the servant, or CORBA::Object's.
std::string repository_id(Servant& servant);
// That object. WrongPolicy if the thread runs no upcall on the servant.
Reference* this_object(Servant& servant);

void free(ServerRequestHandle* request);
const char* operation(ServerRequestHandle& request);
// Each parameter, then the values of all.
void add_argument(ServerRequestHandle& request, std::uint32_t flags, AnyHandle* value);
void read_arguments(ServerRequestHandle& request);
AnyHandle* argument(ServerRequestHandle& request, std::uint32_t index);
void set_argument(ServerRequestHandle& request, std::uint32_t index, AnyHandle* value);
ContextHandle* context(ServerRequestHandle& request);
void set_result(ServerRequestHandle& request, AnyHandle* value);
void set_exception(ServerRequestHandle& request, AnyHandle* value);

}  // namespace server_request

}  // namespace classic
}  // namespace takt
