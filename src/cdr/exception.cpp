#include <takt/cdr/exception.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include <takt/cdr/error.h>
#include "cdr/text/escape_controls.h"

namespace CORBA {

namespace {

std::string number_of(std::uint32_t minor) {
  char text[48];
  if ((minor & 0xfffff000u) == 0x4f4d0000u)
    std::snprintf(text, sizeof text, "OMG minor %u", minor & 0xfffu);
  else
    std::snprintf(text, sizeof text, "minor 0x%x", minor);
  return text;
}

}  // namespace

SystemException::SystemException(std::uint32_t minor, CompletionStatus completed, std::string_view detail)
    : minor_(minor), completed_(completed) {
  if (!detail.empty()) try {
      detail_ = std::make_shared<const std::string>(detail);
    } catch (const std::bad_alloc&) {  // the caller gets this exception, without its text
    }
}
SystemException::SystemException(const SystemException&) noexcept = default;
SystemException& SystemException::operator=(const SystemException&) noexcept = default;
SystemException::~SystemException() = default;

const char* SystemException::what() const noexcept {
  constexpr std::array<const char*, 3> completions{"COMPLETED_YES", "COMPLETED_NO", "COMPLETED_MAYBE"};
  try {
    if (!text_) {
      std::string text = std::string("CORBA::") + _name() + " (" + number_of(minor_) + ", " +
                         completions.at(completed_ <= COMPLETED_MAYBE ? completed_ : COMPLETED_MAYBE) + ")";
      if (detail_) text += ": " + *detail_;
      text_ = std::make_shared<const std::string>(std::move(text));
    }
    return text_->c_str();
  } catch (...) {
    return _name();
  }
}

}  // namespace CORBA

namespace takt::cdr {

namespace {

// A system exception of any type, in place.
class NamedException {
 public:
  using Make = CORBA::SystemException* (*)(void* where, std::uint32_t minor,
                                           CORBA::CompletionStatus completed, std::string_view detail);

  NamedException(Make make, std::uint32_t minor, CORBA::CompletionStatus completed, std::string_view detail)
      : exception_(make(storage_.data(), minor, completed, detail)) {}
  ~NamedException() { exception_->~SystemException(); }
  NamedException(const NamedException&) = delete;
  NamedException& operator=(const NamedException&) = delete;
  [[noreturn]] void raise() const {
    exception_->_raise();
    std::unreachable();  // GCC 12 does not see that it never returns
  }

  template <class Exception>
  static CORBA::SystemException* made(void* where, std::uint32_t minor, CORBA::CompletionStatus completed,
                                      std::string_view detail) {
    static_assert(sizeof(Exception) == sizeof(CORBA::UNKNOWN));
    return ::new (where) Exception(minor, completed, detail);
  }

 private:
  alignas(CORBA::UNKNOWN) std::array<std::byte, sizeof(CORBA::UNKNOWN)> storage_;
  CORBA::SystemException* const exception_;
};

struct ExceptionKind {
  std::string_view name;
  NamedException::Make make;
};

constexpr ExceptionKind kinds[] = {
#define TAKT_KIND(NAME) {#NAME, &NamedException::made<CORBA::NAME>},
    TAKT_SYSTEM_EXCEPTIONS(TAKT_KIND)
#undef TAKT_KIND
};

}  // namespace

void raise_system_exception(std::string_view repository_id, std::uint32_t minor,
                            CORBA::CompletionStatus completed, std::string_view detail) {
  constexpr std::string_view prefix = "IDL:omg.org/CORBA/", suffix = ":1.0";
  if (repository_id.starts_with(prefix) && repository_id.ends_with(suffix)) {
    const std::string_view name =
        repository_id.substr(prefix.size(), repository_id.size() - prefix.size() - suffix.size());
    for (const ExceptionKind& kind : kinds)
      if (kind.name == name) NamedException(kind.make, minor, completed, detail).raise();
  }
  throw CORBA::UNKNOWN(CORBA::omg_minor(2), completed,
                       "the system exception " + escape_controls(repository_id) +
                           ", which is not one of CORBA's; " + std::string(detail));
}

ErrorMapping exception_for(Error error) {
  switch (error) {
    case Error::no_factory:
      return {"IDL:omg.org/CORBA/MARSHAL:1.0", CORBA::omg_minor(1)};
    case Error::local_object:
      return {"IDL:omg.org/CORBA/MARSHAL:1.0", CORBA::omg_minor(4)};
    case Error::wide_in_giop_1_0:
      return {"IDL:omg.org/CORBA/MARSHAL:1.0", CORBA::omg_minor(5)};
    case Error::source_failed:
      return {"IDL:omg.org/CORBA/COMM_FAILURE:1.0", 0};
    case Error::unmappable:
      return {"IDL:omg.org/CORBA/DATA_CONVERSION:1.0", CORBA::omg_minor(1)};
    case Error::no_wide_code_set:
      return {"IDL:omg.org/CORBA/INV_OBJREF:1.0", CORBA::omg_minor(2)};
    case Error::no_memory:
      return {"IDL:omg.org/CORBA/NO_MEMORY:1.0", 0};
    case Error::bad_typecode:
      return {"IDL:omg.org/CORBA/BAD_TYPECODE:1.0", 0};
    default:
      return {"IDL:omg.org/CORBA/MARSHAL:1.0", 0};
  }
}

void throw_coding_error(Error error, CORBA::CompletionStatus completed, std::string_view what) {
  const ErrorMapping mapping = exception_for(error);
  raise_system_exception(mapping.repository_id, mapping.minor, completed,
                         std::string(what).append(": ").append(to_text(error)));
}

void throw_decoding_error(Error error, std::size_t octet, CORBA::CompletionStatus completed,
                          std::string_view what, std::string_view more) {
  const ErrorMapping mapping = exception_for(error);
  raise_system_exception(mapping.repository_id, mapping.minor, completed,
                         std::string(what)
                             .append(": ")
                             .append(to_text(error))
                             .append(", at octet ")
                             .append(std::to_string(octet))
                             .append(more));
}

}  // namespace takt::cdr
