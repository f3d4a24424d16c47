// Settings of other ORBs. C++14.
#pragma once

#include <string>
#include <vector>

namespace takt {

// ORBs that are made later take omniORB's options (-ORBendPoint), variables (ORBendPoint, OMNIORB_CONFIG) and
// configuration file (/etc/omniORB.cfg) beside Takt's own, and have omniORB's defaults. A setting by Takt's
// own name prevails. What each setting becomes is in
// docs/user/options-of-other-orbs.md. Call before ORB_init(). <omniORB4/CORBA.h> of Takt does it.
void take_settings_of_omniorb();
// Settings that a program of omniORB has in its variables, as those of sslContext. Each ORB_init() asks for
// them. omniORB's file takes precedence over them.
struct SettingOfProgram {
  std::string option;  // Takt's, without -ORB
  std::string value;
  std::string origin;  // the variable, for messages
};
typedef std::vector<SettingOfProgram> (*SettingsOfProgram)();
void take_settings_of_program(SettingsOfProgram settings);
// Keeps a password in memory until the process ends, and returns a name for it, which is a value of the
// setting TLSKeyPasswordFile in settings of the program. Equal passwords share a name. Any thread.
std::string keep_password(const std::string& password);
// The same as take_settings_of_omniorb() for TAO's options (-ORBEndpoint), variables (NameServiceIOR) and
// svc.conf. <tao/corba.h> of Takt does it. If both functions are called, the last call counts.
void take_settings_of_tao();

}  // namespace takt
