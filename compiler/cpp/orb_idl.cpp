#include "cpp/orb_idl.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>

#include "cpp/names.h"

namespace takt::idl::cpp {

namespace {

constexpr std::string_view files[] = {
    "CORBA_policies.idl", "CORBA_types.idl", "boxes.idl", "corbaidl.idl", "ir.idl", "orb.idl", "poa.idl",
    "poa_include.idl",    "pollable.idl",    "<orb.idl>"};

// The types that <takt/reference/orb_types.h> defines.
constexpr std::string_view known[] = {
    "::CORBA::AnySeq",          "::CORBA::BooleanSeq",      "::CORBA::CharSeq",
    "::CORBA::Current",         "::CORBA::DoubleSeq",       "::CORBA::Environment",
    "::CORBA::FloatSeq",        "::CORBA::Identifier",      "::CORBA::InterfaceDef",
    "::CORBA::InvalidPolicies", "::CORBA::LongDoubleSeq",   "::CORBA::LongLongSeq",
    "::CORBA::LongSeq",         "::CORBA::OctetSeq",        "::CORBA::Policy",
    "::CORBA::PolicyError",     "::CORBA::PolicyErrorCode", "::CORBA::PolicyType",
    "::CORBA::PolicyTypeSeq",   "::CORBA::RepositoryId",    "::CORBA::ServiceDetailType",
    "::CORBA::ServiceOption",   "::CORBA::ServiceType",     "::CORBA::SetOverrideType",
    "::CORBA::ShortSeq",        "::CORBA::StringSeq",       "::CORBA::StringValue",
    "::CORBA::TCKind",          "::CORBA::ULongLongSeq",    "::CORBA::ULongSeq",
    "::CORBA::UShortSeq",       "::CORBA::VersionSpec",     "::CORBA::WCharSeq",
    "::CORBA::WStringSeq",      "::CORBA::WStringValue"};

// The extension of the files of TAO that describe the ORB.
constexpr std::string_view extension_of_tao = ".pidl";

std::string without_folder(const File& file) { return std::filesystem::path(file.name).filename().string(); }

// Calls `see` for each use of an ORB IDL declaration by the main file: the declaration used, and the one that
// uses it. Stops, and returns true, when `see` returns true.
using See = std::function<bool(const Declaration& used, const Declaration& by)>;
bool any_use(const Unit& unit, const See& see) {
  const std::vector<bool> is_orbs = orb_files(unit);
  for (const Declaration& by : unit.declarations) {
    if (!by.in_main_file) continue;
    const auto is_seen = [&](const Declaration* used) {
      if (!used || used->in_main_file) return false;
      const Declaration& meant = defined(*used);
      return is_orbs[meant.at.file] && see(meant, by);
    };
    const std::function<bool(const Type*)> is_in = [&](const Type* type) {
      return type && (is_seen(type->declaration) || is_in(type->element) || is_in(type->key));
    };
    const auto any_of = [&](const auto& list) { return std::ranges::any_of(list, is_seen); };
    if (is_in(by.type) || any_of(by.bases) || any_of(by.supports) || any_of(by.raises) ||
        any_of(by.set_raises) ||
        std::ranges::any_of(by.parameters, [&](const auto& parameter) { return is_in(parameter.type); }))
      return true;
  }
  return false;
}

}  // namespace

std::vector<bool> orb_files(const Unit& unit) {
  std::vector<bool> found;
  for (const File& file : unit.files)
    found.push_back(!file.is_main && (std::ranges::find(files, without_folder(file)) != std::end(files) ||
                                      without_folder(file).ends_with(extension_of_tao)));
  for (const Declaration& declaration : unit.declarations) {
    const std::string name = declaration.scoped_name();
    if (!name.starts_with("::CORBA") && !name.starts_with("::PortableServer"))
      found[declaration.at.file] = false;
  }
  return found;
}

bool describes_orb(const Unit& unit) {
  const auto main = std::ranges::find_if(unit.files, &File::is_main);
  if (main == unit.files.end()) return false;
  const std::string name = without_folder(*main);
  const bool is_messaging = name == "messaging.idl";
  if (!is_messaging && std::ranges::find(files, name) == std::end(files)) return false;
  return std::ranges::all_of(unit.declarations, [&](const Declaration& declaration) {
    const std::string scoped = declaration.scoped_name();
    return !declaration.in_main_file ||
           (is_messaging ? scoped.starts_with("::Messaging")
                         : scoped.starts_with("::CORBA") || scoped.starts_with("::PortableServer"));
  });
}

bool uses_orb_types(const Unit& unit) {
  return any_use(unit, [](const Declaration&, const Declaration&) { return true; });
}

std::optional<std::string> missing_orb_type(const Unit& unit) {
  std::optional<std::string> message;
  any_use(unit, [&](const Declaration& used, const Declaration& by) {
    if (std::ranges::find(known, used.scoped_name()) != std::end(known)) return false;
    message = "line " + std::to_string(by.at.line) + ": " + used.scoped_name() + " of " +
              without_folder(unit.files[used.at.file]) +
              ": the runtime has no header with this type of the ORB's own";
    return true;
  });
  return message;
}

}  // namespace takt::idl::cpp
