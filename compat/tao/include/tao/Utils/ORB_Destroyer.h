// Destroys an ORB at the end of a block.
#pragma once

#include <tao/corba.h>

namespace TAO {
namespace Utils {

class ORB_Destroyer {
 public:
  explicit ORB_Destroyer(CORBA::ORB_var& orb) : orb_(orb) {}
  explicit ORB_Destroyer(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  ORB_Destroyer(const ORB_Destroyer&) = delete;
  ORB_Destroyer& operator=(const ORB_Destroyer&) = delete;
  ~ORB_Destroyer() {
    try {
      if (!CORBA::is_nil(orb_.in())) orb_->destroy();
    } catch (const CORBA::Exception& failed) {
      failed._tao_print_exception("TAO::Utils::ORB_Destroyer");
    }
  }

 private:
  CORBA::ORB_var orb_;
};

}  // namespace Utils
}  // namespace TAO
