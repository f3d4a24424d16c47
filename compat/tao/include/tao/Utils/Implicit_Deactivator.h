// Deactivates a servant's object at the end of a block.
#pragma once

#include <tao/corba.h>

namespace TAO {
namespace Utils {

class Implicit_Deactivator {
 public:
  explicit Implicit_Deactivator(PortableServer::Servant servant) : servant_(servant) {}
  Implicit_Deactivator(const Implicit_Deactivator&) = delete;
  Implicit_Deactivator& operator=(const Implicit_Deactivator&) = delete;
  ~Implicit_Deactivator() {
    try {
      if (!servant_) return;
      const PortableServer::POA_var poa = servant_->_default_POA();
      const PortableServer::ObjectId_var id = poa->servant_to_id(servant_);
      poa->deactivate_object(id.in());
    } catch (const CORBA::Exception& failed) {
      failed._tao_print_exception("TAO::Utils::Implicit_Deactivator");
    }
  }
  // Leaves the object active.
  PortableServer::Servant release() {
    const PortableServer::Servant servant = servant_;
    servant_ = nullptr;
    return servant;
  }

 private:
  PortableServer::Servant servant_;
};

}  // namespace Utils
}  // namespace TAO
