#include <takt/adapter/ior_table.h>

#include <utility>

#include "adapter/keys/ior_table_maker.h"
#include "adapter/keys/key_aliases.h"

namespace takt::adapter {

CORBA::object_reference<CORBA::Object> make_ior_table(std::weak_ptr<KeyAliases> keys, IORTable::Host host) {
  return CORBA::make_reference<IORTable::Table>(std::move(keys), std::move(host));
}

}  // namespace takt::adapter

namespace IORTable {

Table::Table(std::weak_ptr<takt::adapter::KeyAliases> keys, Host host)
    : keys_(std::move(keys)), host_(std::move(host)) {}
Table::~Table() = default;

const std::string& Table::_interface_repository_id() {
  static const std::string id = "IDL:IORTable/Table:1.0";
  return id;
}
bool Table::_is_a_local(const std::string& id) const {
  return id == _interface_repository_id() || LocalObject::_is_a_local(id);
}

// The keys while the ORB exists.
std::shared_ptr<takt::adapter::KeyAliases> Table::keys() const {
  if (auto keys = keys_.lock()) return keys;
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the ORB has been destroyed");
}
CORBA::object_reference<CORBA::Object> Table::remote_object(const std::string& object_key,
                                                            const std::string& ior) const {
  auto object = host_.string_to_object(ior);
  if (object && object->_ref()) return object;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "'" + object_key + "' is bound to no remote object");
}

void Table::bind(const std::string& object_key, const std::string& ior) {
  const auto keys = this->keys();
  const auto object = remote_object(object_key, ior);
  if (!keys->add(object_key, object)) throw AlreadyBound();
  host_.register_object_key(object_key, object);  // the ORB listens from now on
}
void Table::rebind(const std::string& object_key, const std::string& ior) {
  const auto keys = this->keys();
  host_.register_object_key(object_key, remote_object(object_key, ior));
}
void Table::unbind(const std::string& object_key) {
  if (!keys()->remove(object_key)) throw NotFound();
}

}  // namespace IORTable
