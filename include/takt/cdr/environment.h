// What decoding, and answering a request, needs from the ORB above.
#pragma once

#include <memory>
#include <string_view>

#include <takt/cdr/ior.h>

namespace CORBA {
class Object;
class SystemException;
class ValueFactoryBase;
}  // namespace CORBA

namespace takt::cdr {

// Any thread; outlives every decoder that has it.
class Environment {
 public:
  // For an Any that keeps it. Whatever ends only after all Anys need not be counted.
  virtual std::shared_ptr<Environment> shared() { return {std::shared_ptr<void>(), this}; }
  // An untyped stub; null for nil.
  virtual std::shared_ptr<CORBA::Object> object_from_ior(Ior&& ior) = 0;
  // Null: nobody registered one.
  virtual std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view repository_id) = 0;
  // A reference, nil perhaps, goes from one stream to another without becoming an object here: in a value
  // that is known by its TypeCode alone. It may be changed.
  virtual void reference_passes(Ior& ior) { (void)ior; }
  // A request is answered with that, whose text does not travel.
  virtual void request_fails(std::string_view operation, const CORBA::SystemException& failure) {
    (void)operation, (void)failure;
  }

 protected:
  ~Environment() = default;
};

}  // namespace takt::cdr
