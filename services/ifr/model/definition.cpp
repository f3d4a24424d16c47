#include "ifr/model/definition.h"

#include <algorithm>
#include <array>

#include "ifr/model/type_text.h"

namespace takt::ifr {
namespace {

constexpr std::array names{
    "nothing",          "anything",      "an attribute",   "a constant",         "an exception",
    "an interface",     "a module",      "an operation",   "a typedef",          "an alias",
    "a struct",         "a union",       "an enum",        "a primitive type",   "a string type",
    "a sequence type",  "an array type", "the repository", "a wide string type", "a fixed-point type",
    "a value",          "a value box",   "a value member", "a native type",      "an abstract interface",
    "a local interface"};

bool is_typedef(Kind kind) {
  return kind == Kind::dk_Alias || kind == Kind::dk_Struct || kind == Kind::dk_Union ||
         kind == Kind::dk_Enum || kind == Kind::dk_Native || kind == Kind::dk_ValueBox;
}

void add(std::vector<Number>& to, const std::string& type) {
  if (const Number number = used_in(type)) to.push_back(number);
}
void add(std::vector<Number>& to, const Members& members) {
  for (const Member& member : members) add(to, member.type());
}

template <class Pointer, class AnyDetails>
std::vector<Pointer> all_types_in(AnyDetails& details) {
  std::vector<Pointer> all{&details.type()};
  for (auto& member : details.members()) all.push_back(&member.type());
  for (auto& initializer : details.initializers())
    for (auto& member : initializer.members()) all.push_back(&member.type());
  return all;
}

}  // namespace

const char* name_of(Kind kind) {
  const auto place = static_cast<std::size_t>(kind);
  return place < names.size() ? names[place] : "a part of a component";
}

bool is_interface(Kind kind) {
  return kind == Kind::dk_Interface || kind == Kind::dk_AbstractInterface || kind == Kind::dk_LocalInterface;
}

bool has_bases(Kind kind) { return is_interface(kind) || kind == Kind::dk_Value; }

bool is_type(Kind kind) { return has_bases(kind) || is_typedef(kind); }

bool is_feature(Kind kind) { return kind == Kind::dk_Attribute || kind == Kind::dk_Operation; }

bool may_hold(Kind container, Kind inner) {
  const bool is_named = is_typedef(inner) || inner == Kind::dk_Constant || inner == Kind::dk_Exception;
  switch (container) {
    case Kind::dk_Repository:
    case Kind::dk_Module:
      return is_named || inner == Kind::dk_Module || is_interface(inner) || inner == Kind::dk_Value;
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return is_named || inner == Kind::dk_Attribute || inner == Kind::dk_Operation;
    case Kind::dk_Value:
      return is_named || inner == Kind::dk_Attribute || inner == Kind::dk_Operation ||
             inner == Kind::dk_ValueMember;
    case Kind::dk_Struct:
    case Kind::dk_Union:
    case Kind::dk_Exception:
      return inner == Kind::dk_Struct || inner == Kind::dk_Union || inner == Kind::dk_Enum;
    default:
      return false;
  }
}

std::vector<Number> used_by(const Details& details) {
  std::vector<Number> used;
  add(used, details.type());
  add(used, details.members());
  for (const auto& initializer : details.initializers()) add(used, initializer.members());
  if (details.base()) used.push_back(details.base());
  for (const auto* list : {&details.bases(), &details.supported(), &details.raised(), &details.more.on_set()})
    used.insert(used.end(), list->begin(), list->end());
  for (const auto& list : details.more.of_initializers()) used.insert(used.end(), list.begin(), list.end());
  std::ranges::sort(used);
  const auto rest = std::ranges::unique(used);
  used.erase(rest.begin(), rest.end());
  return used;
}

std::vector<std::string*> types_in(Details& details) { return all_types_in<std::string*>(details); }
std::vector<const std::string*> types_in(const Details& details) {
  return all_types_in<const std::string*>(details);
}

}  // namespace takt::ifr
