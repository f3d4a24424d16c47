// The cost of an object adapter without an ORB, for external counters:
//
//   rt_adapter_costs memory OBJECTS
//       octets of adapter per object, and the duration of activation
//   rt_adapter_costs calls STRATEGY CALLS
//       allocations in CALLS requests; STRATEGY: linear, dynamic, perfect, active, delayered or siphash
//       (delayered, with a MAC on the key)
//   rt_adapter_costs one-servant OBJECTS ORDER
//       activates OBJECTS objects of one servant in two adapters, and deactivates them in that ORDER: oldest
//       or newest first
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "adapters.h"

namespace {

std::atomic<long> allocations{0}, octets{0};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  ++allocations;
  octets += static_cast<long>(malloc_usable_size(memory));
  return memory;
}
void uncounted(void* memory) {
  octets -= static_cast<long>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(std::aligned_alloc(static_cast<std::size_t>(alignment), size));
}
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { uncounted(memory); }

namespace takt::adapter {
namespace {

using namespace PortableServer;

// The application owns the servants and made them before, so they do not count.
void memory(std::size_t count) {
  Adapters orb;
  std::vector<CORBA::servant_reference<NumberServant>> servants;
  for (std::size_t i = 0; i < count; ++i) servants.push_back(number_servant(1));
  const long before = octets;
  const auto start = std::chrono::steady_clock::now();
  for (const auto& servant : servants) orb.root->activate_object(servant);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("%.2f octets each, %.0f ms\n",
              static_cast<double>(octets - before) / static_cast<double>(count), took.count());
}

void one_servant(std::size_t count, const std::string& order) {
  Adapters orb;
  const auto poa_of_many = [&orb](const char* name) {
    return orb.child(name, {orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  };
  const CORBA::object_reference<POA> poas[] = {poa_of_many("a"), poa_of_many("b")};
  const auto servant = number_servant(1);
  std::vector<ObjectId> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = poas[i % 2]->activate_object(servant);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = order == "oldest" ? i : count - 1 - i;
    poas[next % 2]->deactivate_object(ids[next]);
  }
  if (servant.shared().use_count() != 1) std::abort();
}

LookupStrategies strategies_of(const std::string& name) {
  LookupStrategies strategies;
  constexpr std::pair<const char*, Lookup> known[] = {{"linear", Lookup::linear},
                                                      {"dynamic", Lookup::dynamic},
                                                      {"perfect", Lookup::perfect},
                                                      {"active", Lookup::active}};
  for (const auto& [text, lookup] : known)
    if (name == text) strategies.adapter = strategies.servant = lookup;
  const std::string path = adapter_path({"p"});
  const std::string_view ids[] = {"object"}, paths[] = {path};
  strategies.servants = make_id_table(ids);
  strategies.adapters = make_id_table(paths);
  return strategies;
}

void calls(const std::string& strategy, long count) {
  Adapters orb;
  if (strategy == "siphash")
    orb.core->adapter.tree().keys.seal_with(std::make_unique<const KeySeal>(KeySeal::with_random_secret()));
  const auto poa = orb.child("p", {create_lookup_policy(strategies_of(strategy)),
                                   orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
  poa->activate_object_with_id(string_to_ObjectId("object"), number_servant(5));
  const auto key = key_of(poa->id_to_reference(string_to_ObjectId("object")));
  GatherBuffer reply;
  const auto call = [&] {
    server::ServerCall request({.request_id = 7, .object_key = key, .operation = "number"}, {}, 0, {}, reply);
    orb.core->adapter.dispatch(request);
  };
  call();
  const long before = allocations;
  for (long i = 0; i < count; ++i) call();
  if (read_answer(reply).value != 5) std::abort();
  std::printf("%ld allocations\n", allocations - before);
}

}  // namespace
}  // namespace takt::adapter

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "memory" && argc == 3) {
    takt::adapter::memory(std::strtoul(argv[2], nullptr, 10));
  } else if (what == "calls" && argc == 4) {
    takt::adapter::calls(argv[2], std::atol(argv[3]));
  } else if (what == "one-servant" && argc == 4) {
    takt::adapter::one_servant(std::strtoul(argv[2], nullptr, 10), argv[3]);
  } else {
    std::fprintf(stderr,
                 "rt_adapter_costs memory OBJECTS, calls STRATEGY CALLS, or one-servant OBJECTS ORDER\n");
    return 2;
  }
}
