#include <takt/orb/ior_table.h>

#include <utility>

#include <takt/orb/orb.h>

#include "adapter/resolver/key_aliases.h"
#include "orb/runtime/ior_table_maker.h"

namespace takt::orb {

CORBA::object_reference<CORBA::Object> make_ior_table(std::weak_ptr<adapter::KeyAliases> keys,
                                                      IORTable::Table::FindOrb orb) {
  return CORBA::make_reference<IORTable::Table>(std::move(keys), std::move(orb));
}

}  // namespace takt::orb

namespace IORTable {

const std::string& Locator::_interface_repository_id() {
  static const std::string id = "IDL:IORTable/Locator:1.0";
  return id;
}
bool Locator::_is_a_local(const std::string& id) const {
  return id == _interface_repository_id() || LocalObject::_is_a_local(id);
}

Table::Table(std::weak_ptr<takt::adapter::KeyAliases> keys, FindOrb orb)
    : keys_(std::move(keys)), orb_(std::move(orb)) {}
Table::~Table() = default;

const std::string& Table::_interface_repository_id() {
  static const std::string id = "IDL:IORTable/Table:1.0";
  return id;
}
bool Table::_is_a_local(const std::string& id) const {
  return id == _interface_repository_id() || LocalObject::_is_a_local(id);
}

CORBA::object_reference<CORBA::ORB> Table::orb() const {
  if (auto orb = orb_()) return orb;
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the ORB has been destroyed");
}
// The keys while the ORB exists.
std::shared_ptr<takt::adapter::KeyAliases> Table::keys() const {
  if (auto keys = keys_.lock()) return keys;
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the ORB has been destroyed");
}
CORBA::object_reference<CORBA::Object> Table::remote_object(const std::string& object_key,
                                                            const std::string& ior) const {
  auto object = orb()->string_to_object(ior);
  if (object && object->_ref()) return object;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "'" + object_key + "' is bound to no remote object");
}

void Table::bind(const std::string& object_key, const std::string& ior) {
  const auto keys = this->keys();
  const auto object = remote_object(object_key, ior);
  if (!keys->add(object_key, object)) throw AlreadyBound();
  orb()->register_object_key(object_key, object);  // the ORB listens from now on
}
void Table::rebind(const std::string& object_key, const std::string& ior) {
  const auto keys = this->keys();
  orb()->register_object_key(object_key, remote_object(object_key, ior));
}
void Table::unbind(const std::string& object_key) {
  if (!keys()->remove(object_key)) throw NotFound();
}

void Table::set_locator(CORBA::object_reference<Locator> locator) {
  const auto keys = this->keys();
  if (!locator) return keys->drop_finder();
  const auto find = [find_orb = orb_, locator = std::move(locator)](takt::ByteView octets) {
    const std::string key(octets.begin(), octets.end());
    try {
      const std::string found = locator->locate(key);
      if (const auto orb = find_orb()) return orb->string_to_object(found);
    } catch (const NotFound&) {  // the client gets OBJECT_NOT_EXIST
    }
    return CORBA::object_reference<CORBA::Object>();
  };
  keys->set_finder(find);
  static_cast<void>(orb()->resolve_initial_references("RootPOA"));  // the ORB listens from now on
}

}  // namespace IORTable
