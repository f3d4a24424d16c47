#include "giop/compression/methods.h"

#include "giop/compression/zlib_method.h"

namespace takt::giop::compression {

namespace {

const MethodRef& zlib() {
  static const MethodRef method = std::make_shared<ZlibMethod>();
  return method;
}

}  // namespace

MethodList usual_methods() { return {zlib()}; }

Methods::Methods() : methods_(usual_methods()) {}

void Methods::add(MethodRef method) {
  std::lock_guard lock(mutex_);
  methods_.push_back(std::move(method));
}

MethodList Methods::all() const {
  std::lock_guard lock(mutex_);
  return methods_;
}

Expected<MethodList, std::string> Methods::named(std::string_view names) const {
  constexpr std::string_view dividers = ", ";
  const MethodList there = all();
  MethodList list;
  std::size_t end = 0;
  for (std::size_t at; (at = names.find_first_not_of(dividers, end)) != names.npos;) {
    end = std::min(names.find_first_of(dividers, at), names.size());
    const std::string_view name = names.substr(at, end - at);
    const auto found = std::ranges::find(there, name, [](const MethodRef& one) { return one->name(); });
    if (found == there.end()) {
      std::string known;
      for (const MethodRef& one : there) known.append(known.empty() ? "" : ", ").append(one->name());
      return Unexpected("there is no method '" + std::string(name) + "' of compression; this ORB has " +
                        known + ", and plug-ins bring others");
    }
    if (std::ranges::find(list, *found) != list.end())
      return Unexpected("method '" + std::string(name) + "' of compression comes twice");
    list.push_back(*found);
  }
  if (list.empty()) return Unexpected(std::string("no method of compression is named"));
  if (list.size() > most_methods)
    return Unexpected("more than " + std::to_string(most_methods) + " methods of compression");
  return list;
}

}  // namespace takt::giop::compression
