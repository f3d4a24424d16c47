#include <takt/cdr/exception.h>

#include <array>
#include <cstdio>

#include <takt/cdr/error.h>

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

// Out of line, and once for each exception: to throw takes many instructions.
template <class Exception>
[[noreturn]] void raise(std::uint32_t minor, CORBA::CompletionStatus completed, std::string& detail) {
  throw Exception(minor, completed, std::move(detail));
}

struct Raiser {
  std::string_view name;
  void (*raise)(std::uint32_t minor, CORBA::CompletionStatus completed, std::string& detail);
};

constexpr Raiser raisers[] = {
#define TAKT_RAISER(NAME) {#NAME, &raise<CORBA::NAME>},
    TAKT_SYSTEM_EXCEPTIONS(TAKT_RAISER)
#undef TAKT_RAISER
};

}  // namespace

void raise_system_exception(std::string_view repository_id, std::uint32_t minor,
                            CORBA::CompletionStatus completed, std::string detail) {
  constexpr std::string_view prefix = "IDL:omg.org/CORBA/", suffix = ":1.0";
  if (repository_id.starts_with(prefix) && repository_id.ends_with(suffix)) {
    const std::string_view name =
        repository_id.substr(prefix.size(), repository_id.size() - prefix.size() - suffix.size());
    for (const Raiser& one : raisers)
      if (one.name == name) one.raise(minor, completed, detail);
  }
  throw CORBA::UNKNOWN(
      CORBA::omg_minor(2), completed,
      "the system exception " + std::string(repository_id) + ", which is none of CORBA's; " + detail);
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
    case Error::bad_typecode:
      return {"IDL:omg.org/CORBA/BAD_TYPECODE:1.0", 0};
    default:
      return {"IDL:omg.org/CORBA/MARSHAL:1.0", 0};
  }
}

}  // namespace takt::cdr
