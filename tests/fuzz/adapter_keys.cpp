// A live adapter whose POAs cover all strategies, and object keys from a peer. The first octet selects: the
// rest is a key; or pairs of position and value change a valid key; or the same with a MAC on all keys. Each
// key must reach the servant that it names, or get OBJECT_NOT_EXIST; some objects are deactivated and
// reactivated meanwhile.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "adapters.h"
#include "cdr_input.h"

namespace {

using namespace takt;
using namespace takt::adapter;
using namespace PortableServer;

constexpr std::uint32_t objects_per_poa = 4;
const std::string path = adapter_path({"perfect"});

// Too short for the fast lookup of a table, and long enough.
constexpr const char* ids_of_objects[] = {"0", "object 1", "2", "the object 3"};

LookupStrategies strategies_of(Lookup strategy) {
  static const std::vector<std::string_view> ids(std::begin(ids_of_objects), std::end(ids_of_objects));
  static const std::string_view paths[] = {path};
  LookupStrategies strategies;
  strategies.adapter = strategies.servant = strategy;
  strategies.adapters = make_id_table(paths);
  strategies.servants = make_id_table(ids);
  return strategies;
}

// Made once; no input may affect later ones.
struct Server : Adapters {
  explicit Server(bool sealed) : Adapters(false) {
    if (sealed)
      core->adapter.tree().keys.seal_with(std::make_unique<const KeySeal>(KeySeal::Secret{1, 2, 3}, true));
    root->the_POAManager()->activate();
    constexpr std::pair<const char*, Lookup> strategies[] = {{"linear", Lookup::linear},
                                                             {"dynamic", Lookup::dynamic},
                                                             {"perfect", Lookup::perfect},
                                                             {"active", Lookup::active},
                                                             {"delayered", Lookup::delayered}};
    for (const auto& [name, strategy] : strategies)
      add(child(name, {create_lookup_policy(strategies_of(strategy)),
                       root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)}));
    add(child("persistent", {root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                             root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)}));
    for (std::uint32_t i = 0; i < objects_per_poa; ++i)
      keys.push_back(
          key_of(root->servant_to_reference(number_servant(static_cast<std::uint32_t>(keys.size())))));
  }
  void add(const CORBA::object_reference<POA>& poa) {
    poas.push_back(poa);
    for (std::uint32_t i = 0; i < objects_per_poa; ++i) {
      const auto id = string_to_ObjectId(ids_of_objects[i]);
      poa->activate_object_with_id(id, number_servant(static_cast<std::uint32_t>(keys.size())));
      keys.push_back(key_of(poa->id_to_reference(id)));
    }
  }
  // Deactivates and reactivates an object, which gets another slot if other objects have been deactivated
  // too.
  void churn(std::size_t number) {
    const auto& poa = poas[number / objects_per_poa];
    const auto id = string_to_ObjectId(ids_of_objects[number % objects_per_poa]);
    poa->deactivate_object(id);
    fuzz::require(call(keys[number]).is("OBJECT_NOT_EXIST"));
    poa->activate_object_with_id(id, number_servant(static_cast<std::uint32_t>(number)));
  }
  std::vector<CORBA::object_reference<POA>> poas;
  std::vector<ObjectId> keys;  // by the number of the object
};

}  // namespace

// The adapters exist until the process ends.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server& open = *new Server(false);
  static Server& sealed = *new Server(true);
  if (size < 2) return 0;
  Server& server = data[0] % 3 == 2 ? sealed : open;
  if (data[0] % 3 == 0) {
    const ByteView key(data + 1, size - 1);
    const Answer answer = server.call(key);
    fuzz::require(answer.is("OBJECT_NOT_EXIST") || answer.value < server.keys.size());
    server.core->adapter.locate(key);
    return 0;
  }
  const std::size_t number = data[1] % server.keys.size();
  ObjectId key = server.keys[number];
  for (std::size_t i = 2; i + 1 < size; i += 2) {
    if (data[i] == 0xff)
      key.resize(data[i + 1]);
    else if (data[i] < key.size())
      key[data[i]] ^= data[i + 1];
  }
  if (data[0] & 0x40 && number < server.poas.size() * objects_per_poa) server.churn(number);
  const Answer answer = server.call(key);
  const bool there = server.core->adapter.locate(key).status == reference::LocateAnswer::Status::here;
  fuzz::require(there == (answer.status == Answer::result));
  if (answer.status == Answer::result) {
    // If the key still leads to an object, only the hint may differ from this object's key.
    fuzz::require(answer.value < server.keys.size());
    fuzz::require(&server != &sealed || key == server.keys[answer.value]);
  } else {
    fuzz::require(answer.is("OBJECT_NOT_EXIST"));
    fuzz::require(key != server.keys[number]);
  }
  return 0;
}
