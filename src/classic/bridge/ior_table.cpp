#include <takt/orb/ior_table.h>

#include <utility>

#include "classic/bridge/ior_table_bridge.h"
#include "classic/bridge/runtime.h"

namespace takt::classic::ior_table {

namespace {

IORTable::Table* table_of(Reference& reference) {
  return dynamic_cast<IORTable::Table*>(reference.object().get());
}
const char* text(const char* text) { return text ? text : ""; }

class LocatorHost final : public virtual IORTable::Locator {
 public:
  explicit LocatorHost(std::unique_ptr<Asked> asked) : asked_(std::move(asked)) {}
  std::string locate(const std::string& key) override {
    if (key.find('\0') != std::string::npos) throw IORTable::NotFound();
    return asked_->locate(key.c_str());
  }

 private:
  const std::unique_ptr<Asked> asked_;
};

}  // namespace

bool is_table(Reference& reference) { return table_of(reference); }
bool bind(Reference& table, const char* key, const char* ior) {
  return translating([&] {
    try {
      table_of(table)->bind(text(key), text(ior));
      return true;
    } catch (const IORTable::AlreadyBound&) {
      return false;
    }
  });
}
void rebind(Reference& table, const char* key, const char* ior) {
  translating([&] { table_of(table)->rebind(text(key), text(ior)); });
}
bool unbind(Reference& table, const char* key) {
  return translating([&] {
    try {
      table_of(table)->unbind(text(key));
      return true;
    } catch (const IORTable::NotFound&) {
      return false;
    }
  });
}

void set_locator(Reference& table, std::unique_ptr<Asked> locator) {
  translating([&] {
    table_of(table)->set_locator(locator ? CORBA::make_reference<LocatorHost>(std::move(locator)) : nullptr);
  });
}
void not_found_in_runtime() { throw IORTable::NotFound(); }

}  // namespace takt::classic::ior_table
