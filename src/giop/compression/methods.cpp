#include "giop/compression/methods.h"

#include <algorithm>

#include "base/items.h"
#include "giop/compression/zlib_method.h"

namespace takt::giop::compression {

MethodList default_methods() {
  static const ZlibMethod zlib;
  return MethodList(zlib);
}

void Methods::add(std::unique_ptr<const CompressionMethod> method) { brought_.add(std::move(method)); }

MethodList Methods::all() const {
  MethodList all = default_methods();
  for (const auto& one : brought_.all()) all.add(*one);
  return all;
}

[[gnu::cold]] std::expected<MethodList, std::string> Methods::named(std::string_view names) const {
  const MethodList there = all();
  MethodList list;
  for (const std::string_view name : items_of(names, ", ")) {
    const auto found = std::ranges::find(there.all(), name, &CompressionMethod::name);
    if (found == there.all().end()) {
      std::string known;
      for (const CompressionMethod* const one : there.all())
        known.append(known.empty() ? "" : ", ").append(one->name());
      return std::unexpected("there is no method '" + std::string(name) + "' of compression; this ORB has " +
                             known + ", and plug-ins bring others");
    }
    if (list.find((*found)->number()))
      return std::unexpected("method '" + std::string(name) + "' of compression comes twice");
    list.add(**found);
  }
  if (list.empty()) return std::unexpected(std::string("no method of compression is named"));
  return list;
}

}  // namespace takt::giop::compression
