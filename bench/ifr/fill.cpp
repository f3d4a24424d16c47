// bench_ifr_fill FILE DEFINITIONS: makes a repository's store with DEFINITIONS structs of four members.
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "ids.h"
#include "ifr/store/store.h"

namespace {

using takt::ifr::Definition;
using takt::ifr::Kind;

Definition of(takt::ifr::Store& store, Kind kind, takt::ifr::Number container, const std::string& id,
              const std::string& name) {
  return {{.number = store.next_number(),
           .kind = kind,
           .container = container,
           .id = id,
           .name = name,
           .version = "1.0"},
          {}};
}

void fill(takt::ifr::Store& store, std::uint64_t definitions) {
  takt::ifr::Store::Transaction transaction(store, takt::ifr::Store::Access::change);
  takt::ifr::Number module = 0;
  for (std::uint64_t i = 0; i < definitions; ++i) {
    if (i % bench::structs_of_a_module == 0) {
      const auto made = of(store, Kind::dk_Module, takt::ifr::repository_number, bench::module_id(i),
                           "M" + std::to_string(i / bench::structs_of_a_module));
      store.insert(made);
      module = made.number;
    }
    Definition made = of(store, Kind::dk_Struct, module, bench::struct_id(i), "S" + std::to_string(i));
    for (const char* name : {"a", "b", "c", "d"}) made.details.members().push_back({name, "p3", 0, false, 0});
    store.insert(made);
  }
  transaction.commit();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("give a file and a number of definitions");
  auto store = takt::ifr::Store::open(argv[1]);
  if (!store) throw std::runtime_error(store.error());
  fill(*store, std::strtoull(argv[2], nullptr, 10));
} catch (const std::exception& failure) {
  std::cerr << "bench_ifr_fill: " << failure.what() << '\n';
  return 1;
}
