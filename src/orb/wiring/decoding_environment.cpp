#include "orb/wiring/decoding_environment.h"

#include <mutex>
#include <utility>

#include "reference/object_ref.h"

namespace takt::orb {

std::shared_ptr<CORBA::Object> DecodingEnvironment::object_from_ior(cdr::Ior&& ior) {
  return reference::make_stub<CORBA::Object>(references_.from_ior(std::move(ior))).shared();
}

std::shared_ptr<CORBA::ValueFactoryBase> DecodingEnvironment::value_factory(std::string_view repository_id) {
  const std::lock_guard lock(mutex_);
  const auto found = factories_.find(repository_id);
  return found == factories_.end() ? nullptr : found->second;
}

std::shared_ptr<CORBA::ValueFactoryBase> DecodingEnvironment::set_value_factory(
    const std::string& repository_id, std::shared_ptr<CORBA::ValueFactoryBase> factory) {
  const std::lock_guard lock(mutex_);
  std::swap(factories_[repository_id], factory);
  if (!factories_[repository_id]) factories_.erase(repository_id);
  return factory;
}

}  // namespace takt::orb
