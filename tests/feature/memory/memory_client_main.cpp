// A client process with little address space. Arguments: the object's reference, and the length of a reply
// for which there is not enough memory. Prints the outcome of each call as a word on a line.
#include <cstdio>
#include <cstdlib>

#include "memoryC.h"
#include "memory_process.h"

namespace {

template <class Call>
void print(Call call) {
  try {
    call();
    std::puts("done");
  } catch (const CORBA::SystemException& failure) {
    std::puts(failure._name());
  } catch (const std::exception&) {
    std::puts("other");
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  feature::prepare_memory();
  auto orb = CORBA::ORB_init(argc, argv);
  auto store = IDL::traits<Memory::Store>::narrow(orb->string_to_object(argv[1]));
  const auto length = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
  print([&] { store->cube(3); });
  print([&] { store->text(length); });
  print([&] { store->cube(3); });
  print([&] { store->text(1000); });
  store.reset();
  orb->destroy();
}
