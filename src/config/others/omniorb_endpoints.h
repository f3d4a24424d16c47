// omniORB's endpoints and rules of publishing.
#pragma once

#include "config/others/setting.h"

namespace takt::orb::others {

std::string omniorb_endpoint(const Setting& setting, std::string_view value, Collector& into);
// Rules of endPointPublish: names and endpoints. Those that ask for addresses are what Takt does by itself.
std::string omniorb_published(const Setting& setting, std::string_view value, Collector& into);
std::string omniorb_socket_folder(const Setting& setting, std::string_view value, Collector& into);

}  // namespace takt::orb::others
