// omniORB's endpoints and rules of publishing.
#pragma once

#include "foreign/setting.h"

namespace takt::orb::others {

std::string omniorb_endpoint(const Setting& setting, std::string_view value, Collector& into);
// One that references do not contain, and one that they contain besides.
std::string omniorb_unpublished(const Setting& setting, std::string_view value, Collector& into);
std::string omniorb_also_published(const Setting& setting, std::string_view value, Collector& into);
// Rules of endPointPublish: names, endpoints, and addresses, which are all that the server listens at.
std::string omniorb_published(const Setting& setting, std::string_view value, Collector& into);
std::string omniorb_socket_folder(const Setting& setting, std::string_view value, Collector& into);

}  // namespace takt::orb::others
