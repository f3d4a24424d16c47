// The state of a naming service as a CORBA object, for operators.
#pragma once

#include "Takt_NamingS.h"
#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/service/iterators.h"
#include "naming/store/changes.h"

namespace takt::naming {

class StateServant final : public virtual CORBA::servant_traits<Takt::Naming::Service>::base_type {
 public:
  // All must outlive it.
  StateServant(const Tree& tree, TreeMutex& mutex, const Changes& changes, const Cursors& cursors)
      : tree_(tree), mutex_(mutex), changes_(changes), cursors_(cursors) {}
  Takt::Naming::State look() override;

 private:
  const Tree& tree_;
  TreeMutex& mutex_;
  const Changes& changes_;
  const Cursors& cursors_;
};

}  // namespace takt::naming
