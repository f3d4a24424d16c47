// A list of policies that are destroyed with it.
#pragma once

#include <tao/corba.h>

namespace TAO {
namespace Utils {

class PolicyList_Destroyer : public CORBA::PolicyList {
 public:
  PolicyList_Destroyer() {}
  explicit PolicyList_Destroyer(CORBA::ULong maximum) : CORBA::PolicyList(maximum) {}
  PolicyList_Destroyer(const PolicyList_Destroyer&) = delete;
  PolicyList_Destroyer& operator=(const PolicyList_Destroyer&) = delete;
  ~PolicyList_Destroyer() {
    for (CORBA::ULong i = 0; i < length(); ++i) try {
        if (!CORBA::is_nil((*this)[i].in())) (*this)[i]->destroy();
      } catch (const CORBA::Exception& failed) {
        failed._tao_print_exception("TAO::Utils::PolicyList_Destroyer");
      }
  }
};

}  // namespace Utils
}  // namespace TAO
