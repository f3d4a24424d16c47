#include <takt/classic/orb.h>
#include <takt/classic/present_orb.h>

#include <cstring>
#include <string>
#include <vector>

#include "classic/bridge/failures.h"
#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/timeouts_bridge.h"
#include "classic/bridge/value_bridge.h"
#include "classic/mapping/asked.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::orb;
static const char* provided_name = nullptr;
static takt::classic::FindInitial find_provided = nullptr;

ORB::~ORB() { bridge::free(handle_); }
ORB_ptr ORB::_duplicate(ORB_ptr orb) {
  if (orb && orb->handle_) orb->count_.fetch_add(1, std::memory_order_relaxed);
  return orb;
}
ORB_ptr ORB::_nil() {
  static ORB* const nil = new ORB(nullptr);  // never destroyed: other static objects refer to it
  return nil;
}
void release(ORB_ptr orb) {
  if (orb && orb->handle_ && orb->count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete orb;
}
Boolean is_nil(ORB_ptr orb) { return !orb || !orb->_takt_handle(); }

takt::classic::OrbHandle& ORB::handle() {
  if (handle_) return *handle_;
  takt::classic::raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", 0, COMPLETED_NO, "the ORB is nil");
}

char* ORB::id() { return string_dup(bridge::id(handle()).c_str()); }
Object_ptr ORB::string_to_object(const char* text) {
  return takt::classic::make_object(bridge::string_to_object(handle(), text ? text : ""));
}
char* ORB::object_to_string(Object_ptr object) {
  return string_dup(bridge::object_to_string(handle(), object ? object->_takt_reference() : nullptr).c_str());
}
ORB::ObjectIdList* ORB::list_initial_services() {
  const std::vector<std::string> names = bridge::list_initial_services(handle());
  ObjectIdList_var list = new ObjectIdList(static_cast<ULong>(names.size()));
  list->length(static_cast<ULong>(names.size()));
  for (ULong i = 0; i < names.size(); ++i) list[i] = names[i].c_str();
  return list._retn();
}
Object_ptr ORB::resolve_initial_references(const char* name) {
  if (name && provided_name && std::strcmp(name, provided_name) == 0) return find_provided(this);
  return takt::classic::make_object(bridge::resolve_initial_references(handle(), name ? name : ""));
}
void ORB::register_initial_reference(const char* name, Object_ptr object) {
  const takt::classic::OwnReference lasting(takt::classic::lasting_reference(object));
  bridge::register_initial_reference(handle(), name ? name : "", lasting.get());
}
void ORB::run() { bridge::run(handle()); }
LongLong ORB::_takt_run_for(LongLong microseconds) { return bridge::run_for(handle(), microseconds); }
Boolean ORB::work_pending() { return bridge::work_pending(handle()); }
void ORB::perform_work() { bridge::perform_work(handle()); }
void ORB::shutdown(Boolean wait_for_completion) { bridge::shutdown(handle(), wait_for_completion); }
void ORB::destroy() { bridge::destroy(handle()); }

ORB_ptr ORB_init(int& argc, char** argv, const char* id, const char* options[][2]) {
  // The pairs come first, as what comes later takes precedence. Only argv is the caller's to change.
  std::vector<std::string> words;
  for (std::size_t i = 0; options && options[i][0]; ++i) {
    words.push_back(std::string("-ORB") + options[i][0]);
    words.push_back(options[i][1] ? options[i][1] : "");
  }
  const auto made = [](takt::classic::OrbHandle* handle) {
    const ORB_ptr orb = ORB::_takt_make(handle);
    takt::classic::timeouts::made(*handle);
    takt::classic::value::register_all(*handle);
    return orb;
  };
  if (words.empty()) return made(bridge::init(argc, argv, id));
  std::vector<char*> all{argc > 0 ? argv[0] : const_cast<char*>("")};
  for (std::string& word : words) all.push_back(&word[0]);
  all.insert(all.end(), argv + (argc > 0 ? 1 : 0), argv + argc);
  int count = static_cast<int>(all.size());
  all.push_back(nullptr);
  ORB* const orb = made(bridge::init(count, all.data(), id));
  if (argc > 0) {
    for (int i = 1; i < count; ++i) argv[i] = all[static_cast<std::size_t>(i)];
    if (count < argc) argv[count] = nullptr;
    argc = count;
  }
  return orb;
}

}  // namespace takt_classic_
}  // namespace CORBA

void takt::classic::provide_initial_reference(const char* name, FindInitial find) {
  CORBA::provided_name = name;
  CORBA::find_provided = find;
}
