#include "ifr/repository_client.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>

#include <takt/corba.h>

#include "ior/target.h"
#include "nearest.h"

namespace takt::command {
namespace {

using Kind = R::DefinitionKind;

// Limits of what a repository may make this program read.
constexpr std::size_t most_listed = 1'000'000, deepest = 100, most_compared = 20'000;

template <class Description>
std::optional<Listed> listed(Kind kind, const CORBA::Any& value) {
  Description description;
  if (!(value >>= description)) return {};
  return Listed{kind, description.name(), description.id()};
}

std::optional<Listed> listed(const R::Container::Description& given) {
  const CORBA::Any& value = given.value();
  switch (given.kind()) {
    case Kind::dk_Module:
      return listed<R::ModuleDescription>(given.kind(), value);
    case Kind::dk_Constant:
      return listed<R::ConstantDescription>(given.kind(), value);
    case Kind::dk_Exception:
      return listed<R::ExceptionDescription>(given.kind(), value);
    case Kind::dk_Attribute:
      return listed<R::AttributeDescription>(given.kind(), value);
    case Kind::dk_Operation:
      return listed<R::OperationDescription>(given.kind(), value);
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return listed<R::InterfaceDescription>(given.kind(), value);
    case Kind::dk_Value:
      return listed<R::ValueDescription>(given.kind(), value);
    case Kind::dk_ValueMember:
      return listed<R::ValueMember>(given.kind(), value);
    default:
      return listed<R::TypeDescription>(given.kind(), value);
  }
}

bool has_contents(Kind kind) {
  static constexpr std::array kinds{Kind::dk_Module, Kind::dk_Interface,      Kind::dk_AbstractInterface,
                                    Kind::dk_Value,  Kind::dk_LocalInterface, Kind::dk_Struct,
                                    Kind::dk_Union,  Kind::dk_Exception};
  return std::ranges::find(kinds, kind) != kinds.end();
}

// JacORB 3.9 fails to describe several definitions at once, and raises UNKNOWN.
R::Container::DescriptionSeq descriptions_in(R::Container& scope) {
  try {
    return scope.describe_contents(Kind::dk_all, true, -1);
  } catch (const CORBA::UNKNOWN&) {
    R::Container::DescriptionSeq all;
    for (const auto& each : scope.contents(Kind::dk_all, true)) {
      const auto description = each->describe();
      all.emplace_back(each, description.kind(), description.value());
    }
    return all;
  }
}

// Adds the contents of a scope. `prefix`: its name.
void add_contents(R::Container& scope, const std::string& prefix, std::size_t levels, std::size_t most,
                  std::vector<Listed>& all) {
  for (const auto& each : descriptions_in(scope)) {
    if (all.size() >= most) return;
    auto entry = listed(each);
    if (!entry) continue;
    entry->name = prefix + "::" + entry->name;
    all.push_back(*entry);
    if (levels == 0 || !has_contents(entry->kind)) continue;
    const auto inner = IDL::traits<R::Container>::unchecked_narrow(each.contained_object());
    if (inner) add_contents(*inner, entry->name, levels - 1, most, all);
  }
}

[[noreturn]] void fail_missing(R::Repository& repository, const std::string& name_or_id) {
  std::vector<Listed> all;
  add_contents(repository, "", deepest, most_compared, all);
  std::vector<std::string> names;
  const bool is_id = name_or_id.find(':') != std::string::npos && name_or_id.find("::") == std::string::npos;
  for (const Listed& each : all) names.push_back(is_id ? each.id : each.name.substr(2));
  fail("the repository has no definition '" + name_or_id + "'" +
           (names.empty() ? "; it is empty: load IDL with takt ifr load"
                          : "; the nearest is '" + command_line::nearest(name_or_id, names) + "'"),
       negative);
}

}  // namespace

CORBA::object_reference<R::Contained> find_definition(R::Repository& repository,
                                                      const std::string& name_or_id) {
  auto found = repository.lookup_id(name_or_id);
  if (!found) found = repository.lookup(name_or_id.starts_with("::") ? name_or_id : "::" + name_or_id);
  if (!found) fail_missing(repository, name_or_id);
  return found;
}

RepositoryClient::RepositoryClient(const std::string& reference, const std::string& store,
                                   std::chrono::nanoseconds timeout,
                                   const std::vector<std::string>& orb_options) {
  if (!reference.empty()) {
    const std::string text = reference_text(reference);
    orb_ = std::make_unique<ClientOrb>(timeout, orb_options);
    repository_ = IDL::traits<R::Repository>::narrow(object_at(*orb_, text));
    if (!repository_) fail("the object is no CORBA::Repository", negative);
    return;
  }
  std::vector<std::string> options{"-ORBListenEndpoints", "inproc:"};
  options.insert(options.end(), orb_options.begin(), orb_options.end());
  orb_ = std::make_unique<ClientOrb>(timeout, options);
  auto started = ifr::InterfaceRepository::start(orb_->reference(), {.store = store});
  if (!started) fail(started.error());
  own_ = std::move(*started);
  IDL::traits<PortableServer::POA>::narrow((*orb_)->resolve_initial_references("RootPOA"))
      ->the_POAManager()
      ->activate();
  repository_ = own_->reference();
}

RepositoryClient::~RepositoryClient() {
  repository_ = nullptr;
  orb_.reset();  // before the repository that it serves
}

CORBA::object_reference<R::Container> RepositoryClient::container_of(const ContainedRef& scope) const {
  if (!scope) return repository_;
  const Kind kind = scope->def_kind();
  if (!has_contents(kind))
    fail("it is no scope, but a definition of kind '" + word_for(kind) + "'", negative);
  return IDL::traits<R::Container>::unchecked_narrow(scope);
}

std::vector<Listed> RepositoryClient::list(const ContainedRef& scope, bool recursive) const {
  std::vector<Listed> all;
  add_contents(*container_of(scope), scope ? scope->absolute_name() : "", recursive ? deepest : 0,
               most_listed, all);
  return all;
}

std::string word_for(Kind kind) {
  static constexpr std::array words{
      "none",           "all",       "attribute",    "constant",  "exception",
      "interface",      "module",    "operation",    "typedef",   "typedef",
      "struct",         "union",     "enum",         "primitive", "string",
      "sequence",       "array",     "repository",   "wstring",   "fixed",
      "valuetype",      "value box", "value member", "native",    "abstract interface",
      "local interface"};
  const auto place = static_cast<std::size_t>(kind);
  return place < words.size() ? words[place] : "part of a component";
}

}  // namespace takt::command
