// Answers of etcd: whatever is read has sensible revisions, and what is refused has a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "naming_cluster/cluster/layout.h"
#include "naming_cluster/etcd/messages.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check(const takt::etcd::KeyValue& value) {
  using namespace takt::naming;
  check(value.mod_revision >= 0);
  const Layout layout("/p");
  const auto key = layout.parsed(value.key);
  if (key && key->what == Layout::Key::What::binding)
    check(layout.binding(key->context, key->binding) == value.key);
  if (const auto binding = binding_of(value.value, value.mod_revision))
    check(value_of(*binding) == value.value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::etcd;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto range = range_answer(text))
    for (const KeyValue& value : range->values) check(value);
  else
    check(!range.error().empty());
  if (const auto done = transaction_answer(text))
    for (const KeyValue& value : done->values) check(value);
  if (const auto watch = watch_answer(text))
    for (const Event& event : watch->events) check(event.value);
  check(!complaint(text).text.empty());
  if (const auto token = token_answer(text))
    for (const char one : *token) check(one > ' ' && one < 0x7f);
  return 0;
}
