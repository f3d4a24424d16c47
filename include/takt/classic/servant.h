// The base of servants in the classic mapping. C++14.
#pragma once

#include <atomic>

#include <takt/classic/dispatch.h>
#include <takt/classic/object.h>

namespace PortableServer {
inline namespace takt_classic_ {

class POA;
typedef POA* POA_ptr;

// Virtual base of all skeletons. A new servant has one reference, the creator's; a POA holds one as long as
// an object is active and its upcalls run. The last _remove_ref() deletes it. A servant on the stack must be
// deactivated, and its upcalls have ended, before it is destroyed.
class ServantBase : public takt::classic::Servant {
 public:
  ~ServantBase() override;

  // An own reference. The root POA, unless overridden.
  virtual POA_ptr _default_POA();
  virtual ::CORBA::Boolean _is_a(const char* repository_id);
  virtual ::CORBA::Boolean _non_existent();
  virtual void _add_ref();
  virtual void _remove_ref();
  virtual ::CORBA::ULong _refcount_value();

  bool _takt_dispatch_local(const takt::classic::Operation& operation, void** arguments) override;
  bool _takt_is_a(const char* repository_id) override;
  bool _takt_non_existent() override;
  takt::classic::Reference* _takt_default_poa() override;
  void _takt_add_ref() override;
  void _takt_remove_ref() override;

 protected:
  ServantBase();
  ServantBase(const ServantBase&);
  ServantBase& operator=(const ServantBase&);

  virtual bool _takt_supports(const char* repository_id) const = 0;

 private:
  std::atomic< ::CORBA::ULong> count_;
};

typedef ServantBase* Servant;

// Since CORBA 3 all servants count, so it adds nothing.
class RefCountServantBase : public virtual ServantBase {};

// Owns a reference of a servant. Null by default.
template <class T>
class Servant_var {
 public:
  Servant_var() : servant_(nullptr) {}
  Servant_var(T* servant) : servant_(servant) {}
  Servant_var(const Servant_var& from) : servant_(from.servant_) {
    if (servant_) servant_->_add_ref();
  }
  ~Servant_var() {
    if (servant_) servant_->_remove_ref();
  }
  Servant_var& operator=(T* servant) {
    if (servant_) servant_->_remove_ref();
    servant_ = servant;
    return *this;
  }
  Servant_var& operator=(const Servant_var& from) {
    if (from.servant_) from.servant_->_add_ref();
    return *this = from.servant_;
  }
  T* operator->() const { return servant_; }
  T& operator*() const { return *servant_; }
  operator T*() const { return servant_; }
  T* in() const { return servant_; }
  T*& inout() { return servant_; }
  T*& out() {
    *this = static_cast<T*>(nullptr);
    return servant_;
  }
  T* _retn() {
    T* const servant = servant_;
    servant_ = nullptr;
    return servant;
  }

 private:
  T* servant_;
};
typedef Servant_var<ServantBase> ServantBase_var;

}  // namespace takt_classic_
}  // namespace PortableServer
