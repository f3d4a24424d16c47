// Writes the changes of all threads to the store.
#pragma once

#include "events/store/store.h"
#include "sqlite/journal.h"

namespace takt::events {

using Journal = sqlite::Journal<Store, Change>;

}  // namespace takt::events
