// bench_naming_fill FILE BINDINGS REFERENCE: creates a naming service's store with BINDINGS bindings of an
// object.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "names.h"
#include "naming/model/names.h"
#include "naming/store/committer.h"
#include "naming/store/references.h"

namespace {

using namespace takt::naming;

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "bench_naming_fill: " << why << '\n';
  std::exit(1);
}

void carry_out(Committer& committer, std::vector<Change>& changes) {
  for (const auto& outcome : committer.carry_out(std::exchange(changes, {})))
    if (!outcome) fail("a change was refused");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("give a file, a number of bindings and a reference");
  const std::string reference = from_hex(std::string_view(argv[3]).substr(4));
  const std::uint64_t bindings = std::strtoull(argv[2], nullptr, 10);
  auto store = Store::open(argv[1]);
  if (!store) fail(store.error());
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, std::make_unique<Store>(std::move(*store)), Limits{});
  std::vector<Change> changes;
  ContextId context = 0;
  for (std::uint64_t number = 0; number < bindings; ++number) {
    if (number % bench::names_in_context == 0) {
      carry_out(committer, changes);
      const auto made = committer.carry_out({.action = Change::Action::bind,
                                             .context = root_context,
                                             .key = key_of({bench::context_id(number), ""}),
                                             .binding = {.kind = BindingKind::context},
                                             .creates = true});
      if (!made) fail("a context was refused");
      context = *made;
    }
    changes.push_back({.action = Change::Action::bind,
                       .context = context,
                       .key = key_of({bench::object_id(number), "object"}),
                       .binding = {.kind = BindingKind::object, .reference = reference}});
  }
  carry_out(committer, changes);
}
