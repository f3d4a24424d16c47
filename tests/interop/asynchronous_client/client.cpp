// interop_asynchronous_client REFERENCE: asynchronous calls of a server, each of whose outcomes is awaited.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

#include <takt/corba.h>
#include <takt/orb/asynchronous.h>
#include <takt/reference/quality.h>

#include "callsS.h"
#include "report.h"

namespace interop {
namespace {

using namespace std::chrono_literals;
using Holder = IDL::traits<Messaging::ExceptionHolder>::ref_type;
using Calls = IDL::traits<Interop::Calls>::ref_type;

void check(const std::string& name, const std::function<void()>& body) {
  report(name, body, [] {
    try {
      throw;
    } catch (const std::exception& failure) {
      return std::string(failure.what());
    }
  });
}

std::string raised_by(const Holder& holder) {
  try {
    holder->raise_exception();
  } catch (const Interop::Refused& refused) {
    return "Refused " + refused.why() + " " + std::to_string(refused.code());
  } catch (const Interop::Nothing&) {
    return "Nothing";
  } catch (const CORBA::SystemException& failure) {
    return failure._name() + std::string(" ") + std::to_string(failure.minor());
  }
  return "nothing was raised";
}

// Keeps the outcomes as texts.
class Handler : public virtual Interop::AMI_CallsHandler {
 public:
  std::string next() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 20s, [&] { return !outcomes_.empty(); })) return "no outcome";
    std::string first = outcomes_.front();
    outcomes_.pop_front();
    return first;
  }
  void expect(const std::string& outcome) {
    const std::string got = next();
    require(got == outcome, "'" + got + "' instead of '" + outcome + "'");
  }

  void ping() override { add("ping"); }
  void ping_excep(Holder holder) override { add(raised_by(holder)); }
  void get_title(const std::string& title) override { add("title " + title); }
  void set_title() override { add("set"); }
  void get_guarded(std::int32_t value) override { add("guarded " + std::to_string(value)); }
  void get_guarded_excep(Holder holder) override { add(raised_by(holder)); }
  void set_guarded() override { add("set"); }
  void set_guarded_excep(Holder holder) override { add(raised_by(holder)); }
  void in_context(std::int32_t value) override { add("in_context " + std::to_string(value)); }
  void refuse() override { add("refuse"); }
  void refuse_excep(Holder holder) override { add(raised_by(holder)); }
  void fail_excep(Holder holder) override { add(raised_by(holder)); }
  void crash_excep(Holder holder) override { add(raised_by(holder).substr(0, 8)); }
  void call_back(std::int32_t value) override { add(std::to_string(value)); }
  void call_back_excep(Holder holder) override { add(raised_by(holder).substr(0, 7)); }
  void giver(IDL::traits<Interop::Caller>::ref_type giver) override {
    add("giver " + std::to_string(giver->called(21)));  // a synchronous call
  }
  void pass_wide(const std::wstring& text) override { add(text == L"\u00e9\U0001d11e" ? "same" : "other"); }
  void pass_wide_excep(Holder holder) override { add(raised_by(holder)); }
  void echo_octets(const Interop::Octets& octets) override { add(std::to_string(octets.size())); }
  void echo_octets_excep(Holder holder) override { add(raised_by(holder)); }
  void echo_strings(const Interop::Strings& strings) override {
    add(strings.empty() ? "none" : strings.back());
  }
  void echo_strings_excep(Holder holder) override { add(raised_by(holder)); }

 private:
  void add(std::string outcome) {
    std::lock_guard lock(mutex_);
    outcomes_.push_back(std::move(outcome));
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> outcomes_;
};

// Answers 0 later than all other numbers.
class SlowFirst final : public virtual CORBA::servant_traits<Interop::Caller>::base_type {
 public:
  std::int32_t called(std::int32_t n) override {
    if (n == 0) std::this_thread::sleep_for(300ms);
    return n;
  }
};

void check_values(const Calls& calls) {
  const auto handler = CORBA::make_reference<Handler>();
  check("void", [&] { calls->sendc_ping(handler), handler->expect("ping"); });
  check("attribute", [&] {
    calls->sendc_set_title(handler, "a title"), handler->expect("set");
    calls->sendc_get_title(handler), handler->expect("title a title");
  });
  check("context", [&] { calls->sendc_in_context(handler, 7, 0), handler->expect("in_context 21"); });
  check("text", [&] { calls->sendc_echo_strings(handler, {"x", "last"}), handler->expect("last"); });
  check("octets", [&] {
    for (const std::size_t size : {0u, 1000u, 65536u, 1048577u})
      calls->sendc_echo_octets(handler, Interop::Octets(size, 5)), handler->expect(std::to_string(size));
  });
  check("reference", [&] { calls->sendc_giver(handler), handler->expect("giver 42"); });
  check("forward", [&] { calls->forwarded()->sendc_ping(handler), handler->expect("ping"); });
}

void check_exceptions(const Calls& calls) {
  const auto handler = CORBA::make_reference<Handler>();
  check("exception.user",
        [&] { calls->sendc_refuse(handler, "why", -7), handler->expect("Refused why -7"); });
  check("exception.empty", [&] { calls->sendc_refuse(handler, "", 0), handler->expect("Nothing"); });
  check("exception.system", [&] { calls->sendc_fail(handler), handler->expect("NO_PERMISSION 7"); });
  check("exception.unlisted", [&] { calls->sendc_crash(handler), handler->expect("UNKNOWN "); });
  check("exception.attribute",
        [&] { calls->sendc_set_guarded(handler, -3), handler->expect("Refused negative -3"); });
  check("exception.no_object", [&] {
    calls->absent()->sendc_ping(handler);
    const std::string got = handler->next();
    require(got.starts_with("OBJECT_NOT_EXIST "), got);
  });
}

void check_together(const Calls& calls, const IDL::traits<PortableServer::POA>::ref_type& poa) {
  const auto handler = CORBA::make_reference<Handler>();
  check("together", [&] {
    for (int i = 0; i < 500; ++i) calls->sendc_ping(handler);
    for (int i = 0; i < 500; ++i) handler->expect("ping");
  });
  const auto slow = IDL::traits<Interop::Caller>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<SlowFirst>())));
  check("call_back", [&] { calls->sendc_call_back(handler, slow, 1), handler->expect("2"); });
  check("given_up", [&] {
    {
      const takt::DeadlineScope short_of_time(50ms);
      calls->sendc_call_back(handler, slow, 0);
    }
    handler->expect("TIMEOUT");
    calls->sendc_ping(handler), handler->expect("ping");
  });
}

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: interop_asynchronous_client REFERENCE\n";
      return 2;
    }
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    {
      auto calls = IDL::traits<Interop::Calls>::narrow(orb->string_to_object(argv[1]));
      interop::check_values(calls);
      interop::check_exceptions(calls);
      interop::check_together(calls, poa);
    }
    orb->destroy();
  } catch (const std::exception& failure) {
    std::cout << "FAIL client: " << failure.what() << std::endl;
    return 1;
  }
}
