// Folders that no other user can change.
#pragma once

#include <string>

namespace takt::os {

bool is_ours_alone(const std::string& folder);  // whether only this user can add or remove files there
// `parent`/takt-UID, which it makes if it does not exist. Empty if that fails, or if another user can change
// it; errno says why.
std::string make_own_folder(const std::string& parent);

}  // namespace takt::os
