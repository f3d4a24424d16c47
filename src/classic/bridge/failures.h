// How failures of the runtime become exceptions of the classic mapping. No type of either mapping is named
// here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt {
namespace classic {

// Throw the exception of the classic mapping; UNKNOWN if it has none of that id.
[[noreturn]] void raise_system(const char* repository_id, std::uint32_t minor, std::uint32_t completed,
                               const char* text);
constexpr std::uint32_t completed_no = 1, completed_maybe = 2;
[[noreturn]] void raise_bad_param(const char* text, std::uint32_t completed = completed_no,
                                  std::uint32_t minor = 0);
// An exception of the ORB's own interfaces, such as WrongPolicy. `index` is for those that have one.
[[noreturn]] void raise_user(const char* repository_id, std::uint16_t index);
[[noreturn]] void raise_invalid_policies(const std::uint16_t* indices, std::size_t count);
class AnyHandle;
[[noreturn]] void raise_unknown_user(AnyHandle* exception);  // takes it over

// Throw the exception of the runtime, for code of the application's that the runtime calls.
[[noreturn]] void throw_in_runtime(const char* repository_id, std::uint32_t minor, std::uint32_t completed,
                                   const char* text);
// The exception that is being handled, which is a user exception of the classic mapping with this id. Its
// caller gets the same object.
[[noreturn]] void throw_user_in_runtime(const char* repository_id, const char* name);
// The exception that is being handled, of whatever type.
[[noreturn]] void throw_current_in_runtime();
class Reference;
[[noreturn]] void forward_in_runtime(Reference* to);  // to: borrowed

// Writes on standard error why an ORB cannot start: programs that were written for other ORBs print the name
// of the exception alone, and those ORBs write the reason.
void report_start_failure(const char* text);

class Upcall;
struct Entry;
// Answers with the exception that is being handled, if it is one of CORBA's in the classic mapping. False
// otherwise.
bool answer_current_exception(Upcall& call, const Entry& entry);

}  // namespace classic
}  // namespace takt
