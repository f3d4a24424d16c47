// Contexts (CORBA 3.0.3, 7.4).
#include <string_view>

#include <takt/dynamic/named_values.h>

namespace CORBA {

namespace {

bool matches(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

[[noreturn]] void throw_none(const std::string& what) {
  throw BAD_CONTEXT(0, COMPLETED_NO, "no context has " + what);
}

}  // namespace

object_reference<Context> Context::create_child(const std::string& name) {
  return make_reference<Context>(name, object_reference<Context>(self_.lock()));
}

void Context::set_one_value(const std::string& name, const Any& value) {
  std::string text;
  if (!(value >>= text)) throw BAD_TYPECODE(0, COMPLETED_NO, "a context's value '" + name + "' is no string");
  values_[name] = std::move(text);
}

void Context::set_values(const object_reference<NVList>& values) {
  for (const auto& item : values->_items()) set_one_value(item->name(), item->value());
}

void Context::delete_values(const std::string& pattern) {
  const auto deleted =
      std::erase_if(values_, [&](const auto& value) { return matches(value.first, pattern); });
  if (deleted == 0) throw_none(pattern);
}

std::map<std::string, std::string> Context::_matching(const std::string& pattern,
                                                      bool this_scope_alone) const {
  std::map<std::string, std::string> found;
  for (const Context* scope = this; scope; scope = this_scope_alone ? nullptr : scope->parent_.get())
    for (const auto& [name, value] : scope->values_)
      if (matches(name, pattern)) found.emplace(name, value);
  return found;
}

object_reference<NVList> Context::get_values(const std::string& start_scope, Flags flags,
                                             const std::string& pattern) {
  const Context* scope = this;
  while (scope && !start_scope.empty() && scope->name_ != start_scope) scope = scope->parent_.get();
  if (!scope) throw_none("the name " + start_scope);
  const auto list = make_reference<NVList>();
  for (const auto& [name, value] : scope->_matching(pattern, flags == CTX_RESTRICT_SCOPE)) {
    Any any;
    any <<= value;
    list->add_value(name, any, 0);
  }
  if (list->count() == 0) throw_none(pattern);
  return list;
}

}  // namespace CORBA
