// A servant for each kind and form of notification proxies.
#pragma once

#include "notification/service/proxy_servants.h"

namespace takt::notification {

class AnyPushConsumerServant final
    : public ConsumerServant<CosNotifyChannelAdmin::ProxyPushConsumer, PushedProxy, Form::any> {
 public:
  using ConsumerServant::ConsumerServant;
  void push(const CORBA::Any& data) override { live()->push(data); }
  void connect_any_push_supplier(Ref<CosEventComm::PushSupplier> supplier) override { connect(supplier); }
  void disconnect_push_consumer() override { disconnect(); }
};

class AnyPullConsumerServant final
    : public SuspendedServant<
          ConsumerServant<CosNotifyChannelAdmin::ProxyPullConsumer, PullingProxy, Form::any>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_any_pull_supplier(Ref<CosEventComm::PullSupplier> supplier) override { connect(supplier); }
  void disconnect_pull_consumer() override { disconnect(); }
};

class AnyPushSupplierServant final
    : public SuspendedServant<
          SupplierServant<CosNotifyChannelAdmin::ProxyPushSupplier, PushingProxy, Form::any>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_any_push_consumer(Ref<CosEventComm::PushConsumer> consumer) override { connect(consumer); }
  void disconnect_push_supplier() override { disconnect(); }
};

class AnyPullSupplierServant final
    : public SupplierServant<CosNotifyChannelAdmin::ProxyPullSupplier, PulledProxy, Form::any> {
 public:
  using SupplierServant::SupplierServant;
  CORBA::Any pull() override { return live()->pull(1).front()->as_any(); }
  CORBA::Any try_pull(bool& has_event) override {
    const auto events = live()->try_pull(1);
    has_event = !events.empty();
    return has_event ? events.front()->as_any() : CORBA::Any();
  }
  void connect_any_pull_consumer(Ref<CosEventComm::PullConsumer> consumer) override { connect(consumer); }
  void disconnect_pull_supplier() override { disconnect(); }
};

class StructuredPushConsumerServant final
    : public ConsumerServant<CosNotifyChannelAdmin::StructuredProxyPushConsumer, PushedProxy,
                             Form::structured> {
 public:
  using ConsumerServant::ConsumerServant;
  void push_structured_event(const CosNotification::StructuredEvent& notification) override {
    live()->push(notification);
  }
  void connect_structured_push_supplier(Ref<CosNotifyComm::StructuredPushSupplier> supplier) override {
    connect(supplier);
  }
  void disconnect_structured_push_consumer() override { disconnect(); }
};

class StructuredPullConsumerServant final
    : public SuspendedServant<ConsumerServant<CosNotifyChannelAdmin::StructuredProxyPullConsumer,
                                              PullingProxy, Form::structured>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_structured_pull_supplier(Ref<CosNotifyComm::StructuredPullSupplier> supplier) override {
    connect(supplier);
  }
  void disconnect_structured_pull_consumer() override { disconnect(); }
};

class StructuredPushSupplierServant final
    : public SuspendedServant<SupplierServant<CosNotifyChannelAdmin::StructuredProxyPushSupplier,
                                              PushingProxy, Form::structured>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_structured_push_consumer(Ref<CosNotifyComm::StructuredPushConsumer> consumer) override {
    connect(consumer);
  }
  void disconnect_structured_push_supplier() override { disconnect(); }
};

class StructuredPullSupplierServant final
    : public SupplierServant<CosNotifyChannelAdmin::StructuredProxyPullSupplier, PulledProxy,
                             Form::structured> {
 public:
  using SupplierServant::SupplierServant;
  CosNotification::StructuredEvent pull_structured_event() override {
    return live()->pull(1).front()->as_structured();
  }
  CosNotification::StructuredEvent try_pull_structured_event(bool& has_event) override {
    const auto events = live()->try_pull(1);
    has_event = !events.empty();
    return has_event ? events.front()->as_structured() : CosNotification::StructuredEvent();
  }
  void connect_structured_pull_consumer(Ref<CosNotifyComm::StructuredPullConsumer> consumer) override {
    connect(consumer);
  }
  void disconnect_structured_pull_supplier() override { disconnect(); }
};

class SequencePushConsumerServant final
    : public ConsumerServant<CosNotifyChannelAdmin::SequenceProxyPushConsumer, PushedProxy, Form::sequence> {
 public:
  using ConsumerServant::ConsumerServant;
  void push_structured_events(const CosNotification::EventBatch& notifications) override {
    live()->push(notifications);
  }
  void connect_sequence_push_supplier(Ref<CosNotifyComm::SequencePushSupplier> supplier) override {
    connect(supplier);
  }
  void disconnect_sequence_push_consumer() override { disconnect(); }
};

class SequencePullConsumerServant final
    : public SuspendedServant<
          ConsumerServant<CosNotifyChannelAdmin::SequenceProxyPullConsumer, PullingProxy, Form::sequence>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_sequence_pull_supplier(Ref<CosNotifyComm::SequencePullSupplier> supplier) override {
    connect(supplier);
  }
  void disconnect_sequence_pull_consumer() override { disconnect(); }
};

class SequencePushSupplierServant final
    : public SuspendedServant<
          SupplierServant<CosNotifyChannelAdmin::SequenceProxyPushSupplier, PushingProxy, Form::sequence>> {
 public:
  using SuspendedServant::SuspendedServant;
  void connect_sequence_push_consumer(Ref<CosNotifyComm::SequencePushConsumer> consumer) override {
    connect(consumer);
  }
  void disconnect_sequence_push_supplier() override { disconnect(); }
};

class SequencePullSupplierServant final
    : public SupplierServant<CosNotifyChannelAdmin::SequenceProxyPullSupplier, PulledProxy, Form::sequence> {
 public:
  using SupplierServant::SupplierServant;
  CosNotification::EventBatch pull_structured_events(std::int32_t max_number) override {
    return batch_of(live()->pull(checked_count(max_number)));
  }
  CosNotification::EventBatch try_pull_structured_events(std::int32_t max_number, bool& has_event) override {
    const auto events = live()->try_pull(checked_count(max_number));
    has_event = !events.empty();
    return batch_of(events);
  }
  void connect_sequence_pull_consumer(Ref<CosNotifyComm::SequencePullConsumer> consumer) override {
    connect(consumer);
  }
  void disconnect_sequence_pull_supplier() override { disconnect(); }
};

}  // namespace takt::notification
