// Values of the classic mapping, as values of the runtime.
#include "classic/bridge/value_bridge.h"

#include <mutex>
#include <string_view>
#include <vector>

#include <takt/cdr/counted_elsewhere.h>
#include <takt/cdr/value.h>

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/runtime.h"
#include "threads/locks/priority_mutex.h"

namespace takt::classic {

class ValueHost;

class ValueLink {
 public:
  os::PriorityMutex mutex;
  std::weak_ptr<ValueHost> host;
};

ValueImplementation::~ValueImplementation() { delete link_.load(); }

namespace {

// A runtime's description of a type, made once.
struct Description {
  explicit Description(const ValueType& type)
      : ids(type.ids, type.ids + type.count), description{.ids = ids, .custom = type.custom} {}
  const std::vector<std::string_view> ids;
  const cdr::ValueDescription description;
};

const cdr::ValueDescription& description_of(const ValueType& type) {
  if (const void* const made = type.made.load(std::memory_order_acquire))
    return static_cast<const Description*>(made)->description;
  auto* const mine = new Description(type);
  const void* none = nullptr;  // two threads may make it at once
  if (type.made.compare_exchange_strong(none, mine, std::memory_order_acq_rel)) return mine->description;
  delete mine;
  return static_cast<const Description*>(none)->description;
}

}  // namespace

// Stands for one value in the runtime, and holds a reference of it. While it lives, the value has no other:
// so a message has each value once.
class ValueHost final : public CORBA::ValueBase, public cdr::CountedElsewhere {
 public:
  // Takes the reference over.
  explicit ValueHost(ValueImplementation& value) : value_(value) {}
  ~ValueHost() override { value_._takt_remove_ref(); }
  ValueImplementation& value() const { return value_; }

  const cdr::ValueDescription& _value_type() const override {
    return description_of(value_._takt_value_type());
  }
  void _write_state(cdr::Encoder& to) const override {
    to.set_borrowing(false);
    value_._takt_write_state(writer(to));
  }
  bool _read_state(cdr::Decoder& from) override {
    value_._takt_read_state(reader(from));
    return from.ok();
  }
  std::shared_ptr<CORBA::ValueBase> _new_value() const override;
  long references() const override { return static_cast<long>(value_._takt_references()) - 1; }

 private:
  ValueImplementation& value_;
};

namespace {

std::shared_ptr<ValueHost> host_of(ValueImplementation& value) {
  std::atomic<ValueLink*>& place = value._takt_link();
  ValueLink* link = place.load(std::memory_order_acquire);
  if (!link) {
    auto* const mine = new ValueLink;
    if (place.compare_exchange_strong(link, mine, std::memory_order_acq_rel))
      link = mine;
    else
      delete mine;
  }
  const std::lock_guard lock(link->mutex);
  if (auto host = link->host.lock()) return host;
  value._takt_add_ref();
  auto host = std::make_shared<ValueHost>(value);
  link->host = host;
  return host;
}

// Takes the reference over.
std::shared_ptr<ValueHost> host_of_new(ValueImplementation& value) {
  auto host = host_of(value);
  value._takt_remove_ref();
  return host;
}

class FactoryHost final : public CORBA::ValueFactoryBase {
 public:
  explicit FactoryHost(FactoryImplementation& factory) : factory_(factory) { factory_._takt_add_ref(); }
  ~FactoryHost() override { factory_._takt_remove_ref(); }
  FactoryImplementation& factory() const { return factory_; }
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    ValueImplementation* const made = factory_._takt_create();
    if (!made) return {};
    return CORBA::valuetype_reference<CORBA::ValueBase>(host_of_new(*made));
  }

 private:
  FactoryImplementation& factory_;
};

class RegisteredFactory final : public CORBA::ValueFactoryBase {
 public:
  explicit RegisteredFactory(const ValueRegistration& registration) : registration_(registration) {}
  const ValueRegistration& registration() const { return registration_; }
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::valuetype_reference<CORBA::ValueBase>(host_of_new(*registration_.make()));
  }

 private:
  const ValueRegistration& registration_;
};

FactoryImplementation* own(const std::shared_ptr<CORBA::ValueFactoryBase>& factory) {
  const auto host = std::dynamic_pointer_cast<FactoryHost>(factory);
  if (!host) return nullptr;
  host->factory()._takt_add_ref();
  return &host->factory();
}

}  // namespace

std::shared_ptr<CORBA::ValueBase> ValueHost::_new_value() const {
  if (ValueImplementation* const made = value_._takt_make()) return host_of_new(*made);
  throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO,
                            "a value's class does not override _copy_value(), and is not generated");
}

void end_base_state(Writer& out) { cdr::end_base_state(encoder(out)); }

namespace value {

void write(Writer& out, ValueImplementation* value) {
  translating([&] { cdr::write_value(encoder(out), value ? host_of(*value) : nullptr); });
}
ValueImplementation* read(Reader& in, const char* id) {
  return translating([&]() -> ValueImplementation* {
    const auto value = cdr::read_value(decoder(in), cdr::FormalValue{.id = id});
    if (!value) return nullptr;
    if (const auto* const host = dynamic_cast<ValueHost*>(value.get())) {
      host->value()._takt_add_ref();
      return &host->value();
    }
    decoder(in).fail(cdr::Error::bad_value);
    return nullptr;
  });
}
ValueImplementation* copy(ValueImplementation& value) {
  return translating([&] {
    const auto copy = host_of(value)->_copy_value();
    ValueImplementation& made = dynamic_cast<ValueHost&>(*copy).value();
    made._takt_add_ref();
    return &made;
  });
}

FactoryImplementation* register_factory(OrbHandle& orb, const char* id, FactoryImplementation& factory) {
  return translating(
      [&] { return own(orb.orb->register_value_factory(id, std::make_shared<FactoryHost>(factory))); });
}
void unregister_factory(OrbHandle& orb, const char* id) {
  translating([&] { orb.orb->unregister_value_factory(id); });
}
FactoryImplementation* lookup_factory(OrbHandle& orb, const char* id) {
  return translating([&] { return own(orb.orb->lookup_value_factory(id)); });
}
namespace {

struct Registrations {
  os::PriorityMutex mutex;
  std::vector<const ValueRegistration*> all;  // in the order in which they were made
};
Registrations& registrations() {
  static Registrations* const the = new Registrations;  // never destroyed: static objects remove themselves
  return *the;
}

// Runs the action with an ORB unless that has been shut down: then it reads no values.
template <class Action>
void unless_shut_down(Action action) {
  try {
    action();
  } catch (const CORBA::SystemException&) {
  }
}
void register_with(CORBA::ORB& orb, const ValueRegistration& one) {
  if (!orb.lookup_value_factory(one.id))
    orb.register_value_factory(one.id, std::make_shared<RegisteredFactory>(one));
}

}  // namespace

void register_all(OrbHandle& orb) {
  Registrations& the = registrations();
  const std::lock_guard lock(the.mutex);
  unless_shut_down([&] {
    for (const ValueRegistration* one : the.all) register_with(*orb.orb, *one);
  });
}

void add(const ValueRegistration& registration) {
  Registrations& the = registrations();
  std::vector<CORBA::object_reference<CORBA::ORB>> orbs;  // released without the lock
  const std::lock_guard lock(the.mutex);
  the.all.push_back(&registration);
  orbs = timeouts::living_orbs();
  for (const auto& orb : orbs) unless_shut_down([&] { register_with(*orb, registration); });
}

void remove(const ValueRegistration& registration) {
  Registrations& the = registrations();
  std::vector<CORBA::object_reference<CORBA::ORB>> orbs;  // released without the lock
  const std::lock_guard lock(the.mutex);
  std::erase(the.all, &registration);
  orbs = timeouts::living_orbs();
  for (const auto& orb : orbs)
    unless_shut_down([&] {
      const auto factory =
          std::dynamic_pointer_cast<RegisteredFactory>(orb->lookup_value_factory(registration.id));
      if (!factory || &factory->registration() != &registration) return;
      orb->unregister_value_factory(registration.id);
      for (const ValueRegistration* one : the.all)  // another plug-in may have the same type
        if (std::string_view(one->id) == registration.id) return register_with(*orb, *one);
    });
}

}  // namespace value

}  // namespace takt::classic
