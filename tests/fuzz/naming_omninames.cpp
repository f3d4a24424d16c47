// Files of omniNames: a file that was read can be imported.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "naming/import/import.h"
#include "naming/store/committer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::naming;
  const auto names = read_omninames({reinterpret_cast<const char*>(data), size});
  if (!names) {
    if (names.error().empty()) std::abort();
    return 0;
  }
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, nullptr, Limits{});
  if (!import_names(*names, tree, mutex, committer)) std::abort();
  std::uint64_t bindings = 0;
  for (const auto& [id, context] : names->contexts) bindings += context.bindings.size();
  if (tree.bindings() != bindings) std::abort();
  return 0;
}
