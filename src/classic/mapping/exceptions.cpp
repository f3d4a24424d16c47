// The exceptions of the classic mapping, and how failures of the runtime become them.
#include <takt/classic/exception.h>

#include <cstring>
#include <ostream>

#include <takt/classic/poa.h>
#include <takt/classic/policies.h>
#include <takt/classic/request.h>
#include <takt/classic/type_code.h>

#include "classic/mapping/asked.h"

namespace CORBA {
inline namespace takt_classic_ {

Exception::~Exception() = default;
UserException::~UserException() = default;

void Exception::_tao_print_exception(const char* text, std::FILE* file) const {
  std::fprintf(file, "EXCEPTION, %s\n%s\n", text ? text : "", _info().c_str());
}

std::string Exception::_info() const {
  const auto* const system = SystemException::_downcast(this);
  std::string info = std::string(system ? "system" : "user") + " exception, ID '" + _rep_id() + "'";
  if (system) info += std::string("\n") + system->_text();
  return info;
}

std::ostream& operator<<(std::ostream& out, const Exception& exception) { return out << exception._info(); }

SystemException::SystemException(ULong minor, CompletionStatus completed)
    : minor_(minor), completed_(completed) {}
SystemException::SystemException(const SystemException&) = default;
SystemException& SystemException::operator=(const SystemException&) = default;
SystemException::~SystemException() = default;

const char* SystemException::_text() const { return text_ ? text_->c_str() : _name(); }
void SystemException::_text(const char* text) { text_ = std::make_shared<const std::string>(text); }

#define TAKT_CLASSIC_DEFINE(NAME)                   \
  void NAME::_raise() const { throw *this; }        \
  const char* NAME::_name() const { return #NAME; } \
  const char* NAME::_rep_id() const { return "IDL:omg.org/CORBA/" #NAME ":1.0"; }
TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

}  // namespace takt_classic_
}  // namespace CORBA

#define TAKT_CLASSIC_DEFINE_USER(CLASS, NAME, ID)          \
  void CLASS::NAME::_raise() const { throw *this; }        \
  const char* CLASS::NAME::_name() const { return #NAME; } \
  const char* CLASS::NAME::_rep_id() const { return ID; }
// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_POA_EXCEPTIONS(X) \
  X(POA, AdapterAlreadyExists) \
  X(POA, AdapterNonExistent) \
  X(POA, NoServant) \
  X(POA, ObjectAlreadyActive) \
  X(POA, ObjectNotActive) \
  X(POA, ServantAlreadyActive) \
  X(POA, ServantNotActive) \
  X(POA, WrongAdapter) \
  X(POA, WrongPolicy) \
  X(POAManager, AdapterInactive) \
  X(Current, NoContext)
// clang-format on

TAKT_CLASSIC_DEFINE_USER(CORBA::takt_classic_, Bounds, "IDL:omg.org/CORBA/Bounds:1.0")
TAKT_CLASSIC_DEFINE_USER(CORBA::ORB, InvalidName, "IDL:omg.org/CORBA/ORB/InvalidName:1.0")
TAKT_CLASSIC_DEFINE_USER(CORBA::TypeCode, BadKind, "IDL:omg.org/CORBA/TypeCode/BadKind:1.0")
TAKT_CLASSIC_DEFINE_USER(CORBA::TypeCode, Bounds, "IDL:omg.org/CORBA/TypeCode/Bounds:1.0")
TAKT_CLASSIC_DEFINE_USER(PortableServer::POA, InvalidPolicy,
                         "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0")
#define TAKT_CLASSIC_DEFINE(CLASS, NAME) \
  TAKT_CLASSIC_DEFINE_USER(PortableServer::CLASS, NAME, "IDL:omg.org/PortableServer/" #CLASS "/" #NAME ":1.0")
TAKT_CLASSIC_POA_EXCEPTIONS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

namespace takt {
namespace classic {

namespace {

template <class E>
[[noreturn]] void raise_one(std::uint32_t minor, std::uint32_t completed, const char* text) {
  E exception(minor, static_cast<CORBA::CompletionStatus>(completed));
  exception._text(text);
  throw exception;
}
template <class E>
void raise_if(const char* id) {
  const E exception;
  if (std::strcmp(exception._rep_id(), id) == 0) throw exception;
}

}  // namespace

void raise_system(const char* repository_id, std::uint32_t minor, std::uint32_t completed, const char* text) {
#define TAKT_CLASSIC_RAISE(NAME)                                          \
  if (std::strcmp(repository_id, "IDL:omg.org/CORBA/" #NAME ":1.0") == 0) \
    raise_one<CORBA::NAME>(minor, completed, text);
  TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_RAISE)
#undef TAKT_CLASSIC_RAISE
  raise_one<CORBA::UNKNOWN>(minor, completed, text);
}
void raise_bad_param(const char* text, std::uint32_t completed, std::uint32_t minor) {
  raise_one<CORBA::BAD_PARAM>(minor, completed, text);
}

void raise_user(const char* repository_id, std::uint16_t index) {
#define TAKT_CLASSIC_RAISE(CLASS, NAME) raise_if<PortableServer::CLASS::NAME>(repository_id);
  TAKT_CLASSIC_POA_EXCEPTIONS(TAKT_CLASSIC_RAISE)
#undef TAKT_CLASSIC_RAISE
  raise_if<CORBA::ORB::InvalidName>(repository_id);
  raise_if<CORBA::TypeCode::BadKind>(repository_id);
  raise_if<CORBA::TypeCode::Bounds>(repository_id);
  raise_if<CORBA::Bounds>(repository_id);
  if (std::strcmp(repository_id, "IDL:omg.org/CORBA/PolicyError:1.0") == 0)
    throw CORBA::PolicyError(static_cast<CORBA::PolicyErrorCode>(index));
  if (std::strcmp(repository_id, "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0") == 0)
    throw PortableServer::POA::InvalidPolicy(index);
  raise_one<CORBA::UNKNOWN>(not_listed_minor, CORBA::COMPLETED_MAYBE, repository_id);
}

void raise_invalid_policies(const std::uint16_t* indices, std::size_t count) {
  CORBA::InvalidPolicies invalid;
  invalid.indices.length(static_cast<CORBA::ULong>(count));
  for (CORBA::ULong i = 0; i < count; ++i) invalid.indices[i] = indices[i];
  throw invalid;
}
void raise_unknown_user(AnyHandle* exception) {
  CORBA::UnknownUserException unknown;
  unknown.exception()._takt_replace(exception);
  throw unknown;
}

}  // namespace classic
}  // namespace takt
