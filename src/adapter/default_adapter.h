// The adapter that servants use which belong to none.
#pragma once

#include <memory>

namespace takt::adapter {

class ObjectAdapter;
class PoaCore;

// Servant::_default_POA has no ORB to ask, so that the process must know (CORBA 3.0.3, 11.3.1.1). Any thread.
void remember_adapter(ObjectAdapter& adapter);
void forget_adapter(ObjectAdapter& adapter);
// The root POA of the adapter that was remembered first and is still there; null if there is none. `orb`
// keeps its ORB's parts alive.
std::shared_ptr<PoaCore> default_root(std::shared_ptr<void>& orb);

}  // namespace takt::adapter
