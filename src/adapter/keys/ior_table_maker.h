// How the ORB makes its table of object keys.
#pragma once

#include <memory>

#include <takt/adapter/ior_table.h>

namespace takt::adapter {

// Null in a program that does not use IORTable::Table, since nothing else links its source.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> make_ior_table(std::weak_ptr<KeyAliases> keys,
                                                                    IORTable::Host host);

}  // namespace takt::adapter
