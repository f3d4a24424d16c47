// System exceptions in an Any.
#include <takt/classic/system_exceptions.h>

#include <cstring>

#include "classic/bridge/failures.h"
#include "classic/bridge/types_bridge.h"

namespace CORBA {
inline namespace takt_classic_ {

using takt::classic::TypeMember;
using takt::classic::TypeNode;

static const TypeMember statuses[] = {
    {"COMPLETED_YES", nullptr, 0}, {"COMPLETED_NO", nullptr, 0}, {"COMPLETED_MAYBE", nullptr, 0}};
static TypeNode status_type(tk_enum, "IDL:omg.org/CORBA/completion_status:1.0", "completion_status", statuses,
                            3);
static const TypeMember members[] = {{"minor", &takt::classic::basic_types[tk_ulong], 0},
                                     {"completed", &status_type, 0}};
#define TAKT_CLASSIC_DEFINE(NAME)                                                                  \
  static TypeNode type_of_##NAME(tk_except, "IDL:omg.org/CORBA/" #NAME ":1.0", #NAME, members, 2); \
  const TypeCode_ptr _tc_##NAME = takt::classic::make_type_code(type_of_##NAME);
TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

namespace {

struct Known {
  TypeNode* type;
  SystemException* (*make)(ULong minor, CompletionStatus completed);
};
template <class E>
SystemException* make(ULong minor, CompletionStatus completed) {
  return new E(minor, completed);
}
const Known* known(const char* id) {
#define TAKT_CLASSIC_ROW(NAME) {&type_of_##NAME, &make<NAME>},
  static const Known all[] = {TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_ROW)};
#undef TAKT_CLASSIC_ROW
  for (const Known& one : all)
    if (std::strcmp(one.type->id, id) == 0) return &one;
  return nullptr;
}
void write_members(takt::classic::Writer& out, const void* value) {
  const auto& exception = *static_cast<const SystemException*>(value);
  takt::classic::write(out, exception.minor());
  takt::classic::write(out, static_cast<ULong>(exception.completed()));
}
struct Members {
  ULong minor, completed;
};
void read_members(takt::classic::Reader& in, void* value) {
  auto& read = *static_cast<Members*>(value);
  takt::classic::read(in, read.minor);
  takt::classic::read(in, read.completed);
  if (read.completed > COMPLETED_MAYBE) takt::classic::refuse_value(in);
}

}  // namespace

void operator<<=(Any& any, const SystemException& exception) {
  takt::classic::insert(any, *known(exception._rep_id())->type, &write_members, &exception,
                        exception._rep_id());
}
void operator<<=(Any& any, SystemException* exception) {
  const takt::classic::ValueVar<SystemException> own(exception);
  any <<= takt::classic::present(exception);
}
Boolean operator>>=(const Any& any, const SystemException*& exception) {
  const TypeCode_var held = any.type();
  if (held->kind() != tk_except) return false;
  const Known* const type = known(held->id());
  if (!type || !takt::classic::holds(any, *type->type)) return false;
  void* kept = any._takt_kept(&takt::classic::KeyOf<SystemException>::key);
  if (!kept) {
    Members read = {0, 0};
    if (!takt::classic::extract(any, &read_members, &read)) return false;
    SystemException* const made = type->make(read.minor, static_cast<CompletionStatus>(read.completed));
    kept = any._takt_keep(&takt::classic::KeyOf<SystemException>::key, made,
                          &takt::classic::free_erased<SystemException>);
  }
  exception = static_cast<SystemException*>(kept);
  return true;
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

CORBA::SystemException* copy_of(const CORBA::SystemException& exception) {
  CORBA::SystemException* const copy =
      CORBA::known(exception._rep_id())->make(exception.minor(), exception.completed());
  *copy = exception;  // with its text
  return copy;
}

}  // namespace classic
}  // namespace takt
