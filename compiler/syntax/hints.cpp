#include "syntax/hints.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace takt::idl {

namespace {

constexpr std::size_t shortest = 4, longest = 64;  // names that are compared

constexpr std::pair<std::string_view, std::string_view> types_of_cpp[] = {
    {"int", "long"},
    {"bool", "boolean"},
    {"byte", "octet"},
    {"vector", "sequence"},
    {"list", "sequence"},
    {"std", "string' and 'sequence"},
    {"int8_t", "int8"},
    {"uint8_t", "octet"},
    {"int16_t", "short"},
    {"uint16_t", "unsigned short"},
    {"int32_t", "long"},
    {"uint32_t", "unsigned long"},
    {"int64_t", "long long"},
    {"uint64_t", "unsigned long long"},
    {"size_t", "unsigned long long"},
    {"wchar_t", "wchar"},
};

constexpr std::array<std::string_view, 17> types_of_idl = {
    "boolean", "char",   "double",   "fixed", "float",   "long",   "native",    "octet", "sequence",
    "short",   "string", "unsigned", "wchar", "wstring", "Object", "ValueBase", "void"};

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j)
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] != b[j])}));
  }
  return row.back();
}

bool is_near(std::string_view name, std::string_view other) {
  return other.size() <= longest && distance(name, other) <= name.size() / 4;
}

std::string_view near(std::string_view name, const Declaration& scope) {
  for (const std::string_view type : types_of_idl)
    if (is_near(name, type)) return type;
  if (name.back() >= '0' && name.back() <= '9') return {};  // numbered names are near to each other
  for (const Declaration* outer = &scope; outer; outer = outer->scope)
    for (const Declaration* each : outer->contents)
      if (is_near(name, each->name)) return each->name;
  return {};
}

}  // namespace

std::string hint_for_undeclared(std::string_view name, const Declaration& scope) {
  for (const auto& [cpp, idl] : types_of_cpp)
    if (name == cpp) return "; IDL has '" + std::string(idl) + "'";
  if (name.size() < shortest || name.size() > longest) return {};
  const std::string_view meant = near(name, scope);
  return meant.empty() ? std::string() : "; did you mean '" + std::string(meant) + "'?";
}

}  // namespace takt::idl
