#include "client/binding_sets.h"

#include <new>

namespace takt::client {

Bindings BindingSets::none_;

// Called by scopes and their destructors.
void BindingSets::find(Kind wanted) noexcept {
  kind_ = wanted;
  try {
    current_ = &set_for(wanted);
  } catch (const std::bad_alloc&) {
    current_ = &none_;
  }
}

Bindings& BindingSets::set_for(Kind wanted) {
  if (wanted == usual) return usual_;
  for (const auto& [known, bindings] : others_)
    if (known == wanted) return *bindings;
  if (others_.size() < most) return *others_.emplace_back(wanted, std::make_unique<Bindings>()).second;
  auto& [kind, bindings] = others_[next_forgotten_++ % most];
  if (previous_ == bindings.get()) {
    previous_ = &usual_;
    previous_kind_ = usual;
  }
  kind = wanted;
  bindings->forget();
  return *bindings;
}

void BindingSets::forget(const ClientChannel* channel) {
  usual_.forget(channel);
  for (auto& [kind, bindings] : others_) bindings->forget(channel);
}

}  // namespace takt::client
