// Settings of other ORBs. C++14.
#pragma once

namespace takt {

// ORBs that are made later take omniORB's options (-ORBendPoint), variables (ORBendPoint, OMNIORB_CONFIG) and
// configuration file (/etc/omniORB.cfg) beside Takt's own, and have omniORB's defaults. A setting by Takt's
// own name prevails. What each setting becomes is in
// docs/user/options-of-other-orbs.md. Call before ORB_init(). <omniORB4/CORBA.h> of Takt does it.
void take_settings_of_omniorb();
// The same for TAO's options (-ORBEndpoint), variables (NameServiceIOR) and svc.conf. <tao/corba.h> of Takt
// does it. Of these two functions the last call counts.
void take_settings_of_tao();

}  // namespace takt
