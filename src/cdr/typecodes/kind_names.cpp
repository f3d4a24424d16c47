#include <array>

#include <takt/cdr/typecode.h>

namespace takt::cdr {

std::string_view name_of(CORBA::TCKind kind) {
  static constexpr std::array<std::string_view, 37> names{"null",
                                                          "void",
                                                          "short",
                                                          "long",
                                                          "unsigned short",
                                                          "unsigned long",
                                                          "float",
                                                          "double",
                                                          "boolean",
                                                          "char",
                                                          "octet",
                                                          "any",
                                                          "TypeCode",
                                                          "Principal",
                                                          "Object",
                                                          "struct",
                                                          "union",
                                                          "enum",
                                                          "string",
                                                          "sequence",
                                                          "array",
                                                          "alias",
                                                          "exception",
                                                          "long long",
                                                          "unsigned long long",
                                                          "long double",
                                                          "wchar",
                                                          "wstring",
                                                          "fixed",
                                                          "valuetype",
                                                          "value box",
                                                          "native",
                                                          "abstract interface",
                                                          "local interface",
                                                          "component",
                                                          "home",
                                                          "eventtype"};
  const auto index = static_cast<std::size_t>(kind);
  return index < names.size() ? names[index] : "unknown";
}

}  // namespace takt::cdr
