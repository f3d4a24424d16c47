#include <takt/orb/configuration.h>

#include "orb/runtime/runtime.h"

namespace takt {

Configuration::Configuration(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {}

Configuration Configuration::of(CORBA::object_reference<CORBA::ORB> orb) {
  if (!orb) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil ORB has no configuration");
  return Configuration(std::move(orb));
}

std::vector<std::string> Configuration::get(std::string_view option) const {
  orb_->runtime_->require_up();
  return orb_->runtime_->options().get(option);
}

std::string Configuration::origin(std::string_view option) const {
  orb_->runtime_->require_up();
  return orb_->runtime_->options().origin(option);
}

void Configuration::set(std::string_view option, std::string_view value) {
  orb_->runtime_->require_up();
  orb_->runtime_->options().set(*orb_->runtime_, option, value);
}

void Configuration::add(std::string_view option, std::string_view item) {
  orb_->runtime_->require_up();
  orb_->runtime_->options().add(*orb_->runtime_, option, item);
}

}  // namespace takt
