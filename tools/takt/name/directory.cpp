#include "name/directory.h"

#include <iterator>

namespace takt::command {
namespace {

using CosNaming::NamingContext;

constexpr std::uint32_t at_once = 1000;

// Owns an iterator of the service, and destroys it there.
class Iterator {
 public:
  explicit Iterator(CORBA::object_reference<CosNaming::BindingIterator> iterator)
      : iterator_(std::move(iterator)) {}
  ~Iterator() {
    if (!iterator_) return;
    try {
      iterator_->destroy();
    } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): the service ends it after some time
    }
  }
  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;

  bool next(CosNaming::BindingList& list) {
    list.clear();
    return iterator_ && iterator_->next_n(at_once, list) && !list.empty();
  }

 private:
  CORBA::object_reference<CosNaming::BindingIterator> iterator_;
};

std::size_t octets_of(const CosNaming::Name& name) {
  std::size_t octets = 0;
  for (const CosNaming::NameComponent& each : name)
    octets += sizeof each + each.id().size() + each.kind().size();
  return octets;
}

// A resolved entry has its reference as an object and as texts.
std::size_t octets_of(const Entry& entry) {
  return sizeof entry + octets_of(entry.name) + 3 * entry.reference.size() + entry.fault.size();
}

}  // namespace

bool Directory::take(std::size_t octets) {
  if (octets > limits_.octets - octets_) {
    cut_ = true;
    return false;
  }
  octets_ += octets;
  return true;
}

std::vector<Entry> Directory::list(const ContextRef& context, bool resolve) {
  CosNaming::BindingList list;
  CORBA::object_reference<CosNaming::BindingIterator> more;
  context->list(at_once, list, more);
  Iterator iterator(std::move(more));
  std::vector<Entry> entries;
  do {
    for (const CosNaming::Binding& binding : list) {
      cut_ |= ++entries_ > limits_.entries;
      if (cut_) return entries;
      if (binding.binding_name().empty()) continue;
      Entry entry{.name = {binding.binding_name().front()},
                  .is_context = binding.binding_type() == CosNaming::BindingType::ncontext};
      if (resolve) this->resolve(context, entry);
      if (!take(octets_of(entry))) return entries;
      entries.push_back(std::move(entry));
    }
  } while (iterator.next(list));
  return entries;
}

void Directory::resolve(const ContextRef& context, Entry& entry) const {
  try {
    entry.object = context->resolve({entry.name.back()});
    if (entry.object) entry.reference = orb_.object_to_string(entry.object);
  } catch (const CORBA::Exception& failure) {
    entry.fault = failure.what();
  }
}

std::vector<Entry> Directory::tree(const ContextRef& context) {
  std::vector<Entry> entries;
  visited_ = {orb_.object_to_string(context)};
  append(context, {}, entries);
  return entries;
}

void Directory::append(const ContextRef& context, const CosNaming::Name& before,
                       std::vector<Entry>& entries) {
  for (Entry& own : list(context, true)) {
    if (!take(octets_of(before))) return;
    own.name.insert(own.name.begin(), before.begin(), before.end());
    entries.push_back(own);
    const std::size_t at = entries.size() - 1;
    if (!own.is_context || !own.object || cut_) continue;
    if (!visited_.insert(own.reference).second) {
      entries[at].fault = "already listed above";
    } else if (own.name.size() == limits_.depth) {
      entries[at].fault = "not listed: --depth reached";
    } else {
      try {
        append(IDL::traits<NamingContext>::unchecked_narrow(own.object), own.name, entries);
      } catch (const CORBA::Exception& failure) {
        entries[at].fault = failure.what();
      }
    }
  }
}

}  // namespace takt::command
