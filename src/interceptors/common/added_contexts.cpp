#include "interceptors/common/added_contexts.h"

#include <algorithm>
#include <string>

namespace takt::interceptors {

void AddedContexts::add(const IOP::ServiceContext& context, bool replace) {
  const auto same = [&](const IOP::ServiceContext& one) { return one.context_id() == context.context_id(); };
  const auto found = std::ranges::find_if(contexts_, same);
  if (found == contexts_.end())
    contexts_.push_back(context);
  else if (replace)
    *found = context;
  else
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(15), CORBA::COMPLETED_NO,
                               "another interceptor has added service context " +
                                   std::to_string(context.context_id()) + "; it can be replaced");
  views_.clear();
  for (const IOP::ServiceContext& one : contexts_) views_.push_back({one.context_id(), one.context_data()});
}

const IOP::ServiceContext* AddedContexts::find(IOP::ServiceId id) const {
  const auto found =
      std::ranges::find_if(contexts_, [&](const IOP::ServiceContext& one) { return one.context_id() == id; });
  return found == contexts_.end() ? nullptr : &*found;
}

void throw_no_context(IOP::ServiceId id) {
  throw CORBA::BAD_PARAM(CORBA::omg_minor(26), CORBA::COMPLETED_NO,
                         "the message has no service context " + std::to_string(id));
}

IOP::ServiceContext copy_of(const giop::ServiceContexts* contexts, IOP::ServiceId id) {
  const auto found = contexts ? contexts->find(id) : std::nullopt;
  if (!found) throw_no_context(id);
  return {id, std::vector<std::uint8_t>(found->begin(), found->end())};
}

}  // namespace takt::interceptors
