// A client of a trader, of Takt or of another ORB.
#pragma once

#include <string>
#include <vector>

#include "CosTradingC.h"
#include "CosTradingReposC.h"
#include "common/command.h"
#include "ior/calls.h"
#include "json/context.h"
#include "json/values.h"

namespace takt::command {

struct TraderSettings {
  std::string service = "corbaloc::localhost:2813/TradingService";
  std::chrono::nanoseconds deadline = std::chrono::seconds(10);
  std::vector<std::string> orb_options;
};

// Adds --service and --deadline, and lets the command take options of the ORB.
void add_trader(const Command& command, TraderSettings& settings);

class TraderClient {
 public:
  // Throws a Failure.
  explicit TraderClient(const TraderSettings& settings);

  const ClientOrb& orb() const { return orb_; }
  const CORBA::object_reference<CosTrading::Lookup>& lookup() const { return lookup_; }
  // These call the trader, and throw a Failure if it does not have them.
  CORBA::object_reference<CosTrading::Register> registry() const;
  CORBA::object_reference<CosTradingRepos::ServiceTypeRepository> types() const;
  CORBA::object_reference<CosTrading::Link> links() const;

 private:
  const ClientOrb orb_;
  const CORBA::object_reference<CosTrading::Lookup> lookup_;
};

// The conversion of properties.
json::Context property_context(const ClientOrb& orb);

// Runs `action`, and makes Failures of failed calls and of exceptions, which it shows with their members.
template <class Action>
void ask_trader(const Action& action);

[[noreturn]] void fail_with_user_exception(const CORBA::UserException& refused);

template <class Action>
void ask_trader(const Action& action) {
  try {
    action();
  } catch (const CORBA::UserException& refused) {
    fail_with_user_exception(refused);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  } catch (const json::Failure& failure) {
    fail(failure.what());
  }
}

}  // namespace takt::command
