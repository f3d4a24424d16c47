// Notification channels as CORBA objects. The object id is the channel's.
#pragma once

#include "notification/service/access.h"

namespace takt::notification {

class ChannelServant final
    : public virtual CORBA::servant_traits<CosNotifyChannelAdmin::EventChannel>::base_type,
      private Access {
  using ConsumerAdminRef = Ref<CosNotifyChannelAdmin::ConsumerAdmin>;
  using SupplierAdminRef = Ref<CosNotifyChannelAdmin::SupplierAdmin>;
  using Operator = CosNotifyChannelAdmin::InterFilterGroupOperator;

 public:
  using Access::Access;
  CosNotification::QoSProperties get_qos() override;
  void set_qos(const CosNotification::QoSProperties& qos) override;
  void validate_qos(const CosNotification::QoSProperties& required_qos,
                    CosNotification::NamedPropertyRangeSeq& available_qos) override;
  CosNotification::AdminProperties get_admin() override;
  void set_admin(const CosNotification::AdminProperties& admin) override;

  Ref<CosNotifyChannelAdmin::EventChannelFactory> MyFactory() override;
  ConsumerAdminRef default_consumer_admin() override;
  SupplierAdminRef default_supplier_admin() override;
  Ref<CosNotifyFilter::FilterFactory> default_filter_factory() override;
  ConsumerAdminRef new_for_consumers(Operator op, CosNotifyChannelAdmin::AdminID& id) override;
  SupplierAdminRef new_for_suppliers(Operator op, CosNotifyChannelAdmin::AdminID& id) override;
  ConsumerAdminRef get_consumeradmin(CosNotifyChannelAdmin::AdminID id) override;
  SupplierAdminRef get_supplieradmin(CosNotifyChannelAdmin::AdminID id) override;
  CosNotifyChannelAdmin::AdminIDSeq get_all_consumeradmins() override { return numbers(Side::consumers); }
  CosNotifyChannelAdmin::AdminIDSeq get_all_supplieradmins() override { return numbers(Side::suppliers); }

  Ref<CosEventChannelAdmin::ConsumerAdmin> for_consumers() override { return default_consumer_admin(); }
  Ref<CosEventChannelAdmin::SupplierAdmin> for_suppliers() override { return default_supplier_admin(); }
  void destroy() override;
  bool _non_existent() override { return !found<Channel>(); }

 private:
  // Throws OBJECT_NOT_EXIST if the channel of the request does not exist.
  ChannelPtr existing() const;
  AdminPtr admin(Side side, std::int32_t number) const;  // throws AdminNotFound
  AdminPtr new_admin(Side side, Operator op) const;
  std::vector<std::int32_t> numbers(Side side) const;
};

}  // namespace takt::notification
