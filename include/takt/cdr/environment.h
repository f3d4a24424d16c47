// Services that decoding a message and answering a request need from the ORB.
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

// Called from any thread. Outlives every decoder that uses it.
class Environment {
 public:
  // A counted reference for an Any to keep. An environment that outlives all Anys need not count.
  virtual std::shared_ptr<Environment> shared() { return {std::shared_ptr<void>(), this}; }
  // Makes an untyped stub; null for a nil reference.
  virtual std::shared_ptr<CORBA::Object> object_from_ior(Ior&& ior) = 0;
  // Null if none is registered.
  virtual std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view repository_id) = 0;
  // Called for a reference, possibly nil, that is copied between streams without becoming an object, in a
  // value that is known only by its TypeCode. The callee may change it.
  virtual void reference_copied(Ior& ior) { (void)ior; }
  // Reports a request that is answered with `failure`, since the exception's text is not sent.
  virtual void request_fails(std::string_view operation, const CORBA::SystemException& failure) {
    (void)operation, (void)failure;
  }

 protected:
  ~Environment() = default;
};

}  // namespace takt::cdr
