// The attributes that the interfaces of a trader share: layers above the skeleton of one of them.
#pragma once

#include "CosTradingS.h"
#include "trading/service/parts.h"

namespace takt::trading {

template <class Interface>
class Components : public virtual CORBA::servant_traits<Interface>::base_type {
 public:
  CORBA::object_reference<CosTrading::Lookup> lookup_if() override { return parts_.references.lookup; }
  CORBA::object_reference<CosTrading::Register> register_if() override { return parts_.references.registry; }
  CORBA::object_reference<CosTrading::Link> link_if() override { return parts_.references.link; }
  CORBA::object_reference<CosTrading::Proxy> proxy_if() override { return parts_.references.proxy; }
  CORBA::object_reference<CosTrading::Admin> admin_if() override { return parts_.references.admin; }
  bool supports_modifiable_properties() override { return get(Setting::supports_modifiable_properties) != 0; }
  bool supports_dynamic_properties() override { return get(Setting::supports_dynamic_properties) != 0; }
  bool supports_proxy_offers() override { return get(Setting::supports_proxy_offers) != 0; }
  ObjectRef type_repos() override { return parts_.type_repository(); }

 protected:
  explicit Components(Parts& parts) : parts_(parts) {}
  std::uint32_t get(Setting setting) const { return parts_.settings.get()[setting]; }
  FollowOption follow(Setting setting) const { return parts_.settings.get().follow(setting); }

  Parts& parts_;
};

// The limits of queries.
template <class Base>
class ImportAttributes : public Base {
 public:
  std::uint32_t def_search_card() override { return this->get(Setting::def_search_card); }
  std::uint32_t max_search_card() override { return this->get(Setting::max_search_card); }
  std::uint32_t def_match_card() override { return this->get(Setting::def_match_card); }
  std::uint32_t max_match_card() override { return this->get(Setting::max_match_card); }
  std::uint32_t def_return_card() override { return this->get(Setting::def_return_card); }
  std::uint32_t max_return_card() override { return this->get(Setting::max_return_card); }
  std::uint32_t max_list() override { return this->get(Setting::max_list); }
  std::uint32_t def_hop_count() override { return this->get(Setting::def_hop_count); }
  std::uint32_t max_hop_count() override { return this->get(Setting::max_hop_count); }
  FollowOption def_follow_policy() override { return this->follow(Setting::def_follow_policy); }
  FollowOption max_follow_policy() override { return this->follow(Setting::max_follow_policy); }

 protected:
  using Base::Base;
};

template <class Base>
class LinkAttributes : public Base {
 public:
  FollowOption max_link_follow_policy() override { return this->follow(Setting::max_link_follow_policy); }

 protected:
  using Base::Base;
};

}  // namespace takt::trading
