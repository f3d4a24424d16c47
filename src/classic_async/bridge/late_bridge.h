// The runtime's part of late answers that code of the mapping needs. No type of either mapping is named here.
#pragma once

namespace takt {
namespace classic {

class Reference;
class Upcall;

// A LateAnswer and its Giving as pointers. The functions that make one throw exceptions of the classic
// mapping.
void* take_answer(Upcall& call, const char* operation);
void drop_answer(void* answer);
void* begin_giving(void* answer, const char* operation);
Upcall& call_of_giving(void* giving);
void end_giving(void* giving);

// Answers with the exception that is being handled, which is none of CORBA's in the classic mapping.
void answer_foreign_exception(Upcall& call);
// Forwards the caller. `to`: borrowed; null answers with OBJ_ADAPTER.
void forward_caller(Upcall& call, Reference* to);

}  // namespace classic
}  // namespace takt
