// A client of notification channels with omniORB's stubs: MODE FORM CHANNEL COUNT [-ORB...].
//
//   supplier FORM   pushes the events of the numbers from 1 to COUNT as FORM: any, structured or sequence
//   push FORM       is a consumer that is pushed to: says "connected", and then "received COUNT" if it gets
//   the even
//                   numbers in order, which its filter selects from structured events, or all that came as
//                   anys
//   pull FORM       the same as a consumer that pulls
#include <omniORB4/CORBA.h>
#include <CosNotifyChannelAdmin.hh>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>

namespace {

namespace admin = CosNotifyChannelAdmin;
using CosNotification::EventBatch;
using CosNotification::StructuredEvent;

StructuredEvent event_of(CORBA::Long number) {
  StructuredEvent event;
  event.header.fixed_header.event_type.domain_name = "Telecom";
  event.header.fixed_header.event_type.type_name = "Alarm";
  event.header.fixed_header.event_name = "alarm";
  event.header.variable_header.length(1);
  event.header.variable_header[0].name = CosNotification::Priority;
  event.header.variable_header[0].value <<= CORBA::Short(0);
  event.filterable_data.length(2);
  event.filterable_data[0].name = "number";
  event.filterable_data[0].value <<= number;
  event.filterable_data[1].name = "even";
  event.filterable_data[1].value <<= CORBA::Any::from_boolean(number % 2 == 0);
  event.remainder_of_body <<= number;
  return event;
}

// Takes numbers of events until the last of them, and says whether they are the wanted ones in order.
class Numbers {
 public:
  explicit Numbers(CORBA::Long count) : count_(count) {}
  void take(const StructuredEvent& event) {
    CORBA::Long number = 0;
    const bool as_any = std::string(event.header.fixed_header.event_type.type_name) == "%ANY";
    const bool intact = (event.remainder_of_body >>= number) &&
                        (as_any || (std::string(event.header.fixed_header.event_name) == "alarm" &&
                                    event.filterable_data.length() == 2));
    note(intact ? number : -1, as_any);
  }
  void take(const CORBA::Any& data) {
    const StructuredEvent* event = nullptr;
    CORBA::Long number = 0;
    if (data >>= event)
      take(*event);
    else
      note((data >>= number) ? number : -1, true);
  }
  bool done() {
    const std::lock_guard lock(mutex_);
    return last_ == count_ || wrong_;
  }
  // Waits for the last event, at most a minute.
  bool right() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::minutes(1), [this] { return last_ == count_ || wrong_; });
    return last_ == count_ && !wrong_;
  }

 private:
  void note(CORBA::Long number, bool as_any) {
    const std::lock_guard lock(mutex_);
    wrong_ |= number != last_ + (as_any ? 1 : 2);
    last_ = number;
    changed_.notify_all();
  }

  const CORBA::Long count_;  // even
  std::mutex mutex_;
  std::condition_variable changed_;
  CORBA::Long last_ = 0;
  bool wrong_ = false;
};

class AnyConsumer : public POA_CosNotifyComm::PushConsumer {
 public:
  explicit AnyConsumer(Numbers& numbers) : numbers_(numbers) {}
  void push(const CORBA::Any& data) override { numbers_.take(data); }
  void disconnect_push_consumer() override {}
  void offer_change(const CosNotification::EventTypeSeq&, const CosNotification::EventTypeSeq&) override {}

 private:
  Numbers& numbers_;
};

class StructuredConsumer : public POA_CosNotifyComm::StructuredPushConsumer {
 public:
  explicit StructuredConsumer(Numbers& numbers) : numbers_(numbers) {}
  void push_structured_event(const StructuredEvent& event) override { numbers_.take(event); }
  void disconnect_structured_push_consumer() override {}
  void offer_change(const CosNotification::EventTypeSeq&, const CosNotification::EventTypeSeq&) override {}

 private:
  Numbers& numbers_;
};

class SequenceConsumer : public POA_CosNotifyComm::SequencePushConsumer {
 public:
  explicit SequenceConsumer(Numbers& numbers) : numbers_(numbers) {}
  void push_structured_events(const EventBatch& events) override {
    for (CORBA::ULong i = 0; i < events.length(); ++i) numbers_.take(events[i]);
  }
  void disconnect_sequence_push_consumer() override {}
  void offer_change(const CosNotification::EventTypeSeq&, const CosNotification::EventTypeSeq&) override {}

 private:
  Numbers& numbers_;
};

admin::ClientType type_of(const std::string& form) {
  return form == "any"          ? admin::ANY_EVENT
         : form == "structured" ? admin::STRUCTURED_EVENT
                                : admin::SEQUENCE_EVENT;
}

// Lets the even numbers of structured events pass, and all anys; sets the qualities of service that a test
// needs.
void prepare(admin::EventChannel_ptr channel, admin::ProxySupplier_ptr proxy) {
  const CosNotifyFilter::FilterFactory_var factory = channel->default_filter_factory();
  const CosNotifyFilter::Filter_var filter = factory->create_filter("EXTENDED_TCL");
  CosNotifyFilter::ConstraintExpSeq constraints;
  constraints.length(2);
  constraints[0].event_types.length(1);
  constraints[0].event_types[0].domain_name = "Telecom";
  constraints[0].event_types[0].type_name = "*";
  constraints[0].constraint_expr = "$even == TRUE and $domain_name == 'Telecom'";
  constraints[1].event_types.length(1);
  constraints[1].event_types[0].domain_name = "";
  constraints[1].event_types[0].type_name = "%ANY";
  constraints[1].constraint_expr = "";
  const CosNotifyFilter::ConstraintInfoSeq_var added = filter->add_constraints(constraints);
  proxy->add_filter(filter);
  CosNotification::QoSProperties qos;
  qos.length(2);
  qos[0].name = CosNotification::OrderPolicy;
  qos[0].value <<= CosNotification::FifoOrder;
  qos[1].name = CosNotification::MaximumBatchSize;
  qos[1].value <<= CORBA::Long(7);
  proxy->set_qos(qos);
  qos.length(1);
  qos[0].name = "Colour";
  try {
    proxy->set_qos(qos);
  } catch (const CosNotification::UnsupportedQoS& refused) {
    if (refused.qos_err.length() == 1 && refused.qos_err[0].code == CosNotification::BAD_PROPERTY) return;
  }
  throw CORBA::INTERNAL();
}

bool be_pushed(PortableServer::POA_ptr poa, admin::EventChannel_ptr channel, const std::string& form,
               CORBA::Long count) {
  Numbers numbers(count);
  const admin::ConsumerAdmin_var consumers = channel->default_consumer_admin();
  admin::ProxyID id = 0;
  const admin::ProxySupplier_var proxy = consumers->obtain_notification_push_supplier(type_of(form), id);
  prepare(channel, proxy);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  const auto connect = [&](auto* servant, auto narrowed, auto&& how) {
    poa->activate_object(servant);
    how(narrowed, servant);
  };
  if (form == "any")
    connect(new AnyConsumer(numbers), admin::ProxyPushSupplier::_narrow(proxy), [](auto to, auto* servant) {
      to->connect_any_push_consumer(CosNotifyComm::PushConsumer_var(servant->_this()));
    });
  else if (form == "structured")
    connect(
        new StructuredConsumer(numbers), admin::StructuredProxyPushSupplier::_narrow(proxy),
        [](auto to, auto* servant) {
          to->connect_structured_push_consumer(CosNotifyComm::StructuredPushConsumer_var(servant->_this()));
        });
  else
    connect(new SequenceConsumer(numbers), admin::SequenceProxyPushSupplier::_narrow(proxy),
            [](auto to, auto* servant) {
              to->connect_sequence_push_consumer(CosNotifyComm::SequencePushConsumer_var(servant->_this()));
            });
  std::cout << "connected" << std::endl;
  return numbers.right();
}

bool pull(admin::EventChannel_ptr channel, const std::string& form, CORBA::Long count) {
  Numbers numbers(count);
  const admin::ConsumerAdmin_var consumers = channel->default_consumer_admin();
  admin::ProxyID id = 0;
  const admin::ProxySupplier_var proxy = consumers->obtain_notification_pull_supplier(type_of(form), id);
  prepare(channel, proxy);
  const admin::ProxyPullSupplier_var any = admin::ProxyPullSupplier::_narrow(proxy);
  const admin::StructuredProxyPullSupplier_var structured =
      admin::StructuredProxyPullSupplier::_narrow(proxy);
  const admin::SequenceProxyPullSupplier_var sequence = admin::SequenceProxyPullSupplier::_narrow(proxy);
  if (form == "any") any->connect_any_pull_consumer(CosEventComm::PullConsumer::_nil());
  if (form == "structured")
    structured->connect_structured_pull_consumer(CosNotifyComm::StructuredPullConsumer::_nil());
  if (form == "sequence")
    sequence->connect_sequence_pull_consumer(CosNotifyComm::SequencePullConsumer::_nil());
  std::cout << "connected" << std::endl;
  while (!numbers.done()) {
    if (form == "any") {
      const CORBA::Any_var data = any->pull();
      numbers.take(data.in());
    }
    if (form == "structured") {
      const CosNotification::StructuredEvent_var event = structured->pull_structured_event();
      numbers.take(event.in());
    }
    if (form == "sequence") {
      const CosNotification::EventBatch_var events = sequence->pull_structured_events(5);
      for (CORBA::ULong i = 0; i < events->length(); ++i) numbers.take(events.in()[i]);
    }
  }
  return numbers.right();
}

void supply(admin::EventChannel_ptr channel, const std::string& form, CORBA::Long count) {
  const admin::SupplierAdmin_var suppliers = channel->default_supplier_admin();
  admin::ProxyID id = 0;
  const admin::ProxyConsumer_var proxy = suppliers->obtain_notification_push_consumer(type_of(form), id);
  const admin::ProxyPushConsumer_var any = admin::ProxyPushConsumer::_narrow(proxy);
  const admin::StructuredProxyPushConsumer_var structured =
      admin::StructuredProxyPushConsumer::_narrow(proxy);
  const admin::SequenceProxyPushConsumer_var sequence = admin::SequenceProxyPushConsumer::_narrow(proxy);
  if (form == "any") any->connect_any_push_supplier(CosEventComm::PushSupplier::_nil());
  if (form == "structured")
    structured->connect_structured_push_supplier(CosNotifyComm::StructuredPushSupplier::_nil());
  if (form == "sequence")
    sequence->connect_sequence_push_supplier(CosNotifyComm::SequencePushSupplier::_nil());
  for (CORBA::Long number = 1; number <= count; ++number) {
    if (form == "any") {
      CORBA::Any data;
      data <<= number;
      any->push(data);
    }
    if (form == "structured") structured->push_structured_event(event_of(number));
    if (form == "sequence") {
      EventBatch events;
      events.length(2);
      events[0] = event_of(number);
      events[1] = event_of(++number);
      sequence->push_structured_events(events);
    }
  }
}

}  // namespace

int main(int argc, char* argv[]) try {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc < 5) return 2;
  const std::string mode = argv[1], form = argv[2];
  const CORBA::Long count = std::atoi(argv[4]);
  const CORBA::Object_var object = orb->string_to_object(argv[3]);
  const admin::EventChannel_var channel = admin::EventChannel::_narrow(object);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  bool right = true;
  if (mode == "supplier") {
    supply(channel, form, count);
  } else {
    right = mode == "push" ? be_pushed(poa, channel, form, count) : pull(channel, form, count);
    std::cout << (right ? "received " : "wrong events ") << count << std::endl;
  }
  orb->destroy();
  return right ? 0 : 1;
} catch (const CORBA::Exception& failure) {
  std::cout << "FAIL " << failure._name() << std::endl;
  return 1;
}
