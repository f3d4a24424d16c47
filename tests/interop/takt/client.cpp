// interop_takt_client [--dynamic] REFERENCE [restart|times]: makes all checks with the server; or those with
// a server that restarts; or those of the standard's times, with a server that has one thread. With
// --dynamic, all calls but those of the times are dynamic requests.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <string_view>
#include <thread>
#include <vector>

#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "dynamic_stubs.h"
#include "locating.h"
#include "options.h"
#include "report.h"
#include "servants.h"
#include "value_checks.h"

namespace interop {
namespace {

using namespace std::chrono_literals;
using Calls = IDL::traits<Interop::Calls>::ref_type;

template <class T, class Swap>
void check_swap(const std::string& name, const Samples<T>& samples, Swap swap) {
  check(name, [&] {
    T value = samples.high, high{};
    const T result = swap(samples.low, value, high);
    require(same(result, samples.low), "the result differs");
    require(same(value, samples.low), "the inout argument differs");
    require(same(high, samples.high), "the out argument differs");
  });
}

void check_any(const std::string& name, const auto& types) {
  check("any." + name, [&] {
    const CORBA::Any sample = sample_any(name);
    types->take(name, sample);
    require(holds_sample(name, types->give(name)), "what was given differs");
    require(types->echo(sample) == sample, "the echo differs");
  });
  check("typecode." + name, [&] {
    const CORBA::Any sample = sample_any(name);
    require(types->type_of(sample)->equal(sample.type()), "the TypeCode differs");
  });
}

void check_types(const auto& types) {
#define INTEROP_TYPE(NAME, TYPE)                                                                 \
  check_swap<TYPE>("type." #NAME, NAME##_samples(), [&](In<TYPE> low, TYPE& value, TYPE& high) { \
    return types->swap_##NAME(low, value, high);                                                 \
  });                                                                                            \
  check_any(#NAME, types);
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE
}

template <class Expected>
void expect(const std::function<void()>& call, const std::function<void(const Expected&)>& examine) {
  try {
    call();
  } catch (const Expected& raised) {
    examine(raised);
    return;
  }
  require(false, "nothing was thrown");
}

void check_exceptions(const auto& calls) {
  check("exception.user", [&] {
    expect<Interop::Refused>([&] { calls->refuse("why not", -7); },
                             [](const Interop::Refused& refused) {
                               require(refused.why() == "why not" && refused.code() == -7, "members differ");
                             });
  });
  check("exception.empty",
        [&] { expect<Interop::Nothing>([&] { calls->refuse("", 0); }, [](const Interop::Nothing&) {}); });
  check("exception.system", [&] {
    expect<CORBA::NO_PERMISSION>([&] { calls->fail(); },
                                 [](const CORBA::NO_PERMISSION& failure) {
                                   require(
                                       failure.minor() == 7 && failure.completed() == CORBA::COMPLETED_MAYBE,
                                       "minor or completion differs");
                                 });
  });
  check("exception.unlisted",
        [&] { expect<CORBA::UNKNOWN>([&] { calls->crash(); }, [](const CORBA::UNKNOWN&) {}); });
  check("exception.no_object", [&] {
    expect<CORBA::OBJECT_NOT_EXIST>([&] { calls->absent()->ping(); }, [](const CORBA::OBJECT_NOT_EXIST&) {});
  });
}

void check_references(const auto& calls, const IDL::traits<PortableServer::POA>::ref_type& poa) {
  check("reference.call_back", [&] {
    auto id = poa->activate_object(CORBA::make_reference<CallerServant>());
    auto own = IDL::traits<Interop::Caller>::narrow(poa->id_to_reference(id));
    for (int32_t n = 0; n < 10; ++n) require(calls->call_back(own, n) == 2 * n + 1, "another number");
  });
  check("reference.returned", [&] {
    auto giver = calls->giver();
    require(giver && giver->called(21) == 42, "another number");
    require(calls->call_back(giver, 3) == 7, "another number by way of the server");
  });
  check("reference.same", [&] {
    require(calls->same(calls)->_is_equivalent(calls), "another object");
    require(!calls->same(nullptr), "nil is no longer nil");
  });
  check("reference.is_a", [&] {
    require(calls->_is_a("IDL:Interop/Calls:1.0"), "is not what it is");
    IDL::traits<CORBA::Object>::ref_type object = calls->same(calls->giver());
    require(object->_is_a("IDL:Interop/Caller:1.0"), "the giver is no Caller");
    require(!object->_is_a("IDL:Interop/Calls:1.0"), "the giver is a Calls");
  });
  check("reference.struct", [&] {
    const auto back = calls->pass_link(Interop::Link(7, calls->giver(), nullptr));
    require(back.o() == 7 && back.to()->called(4) == 8 && !back.nobody(), "another member");
  });
  check("reference.any", [&] {
    CORBA::Any any;
    any <<= calls->giver();
    require(calls->call_any(any, 5) == 11, "another number");
    IDL::traits<Interop::Caller>::ref_type giver;
    require((calls->any_of(calls->giver()) >>= giver) && giver->called(6) == 12, "another object");
    require((calls->any_of(nullptr) >>= giver) && !giver, "nil is no longer nil");
  });
  check("forward", [&] {
    auto forwarded = calls->forwarded();
    forwarded->ping();
    forwarded->title("forwarded");
    require(calls->title() == "forwarded", "another object was called");
    require(forwarded->echo_octets(Interop::Octets(20000, 1)).size() == 20000, "another size");
  });
  check("locate", [&] {
    require(!calls->_non_existent(), "the server's object does not exist");
    require(calls->absent()->_non_existent(), "the absent one does");
  });
}

// Answers after the calling server has given up.
class SlowCaller final : public virtual CORBA::servant_traits<Interop::Caller>::base_type {
 public:
  int32_t called(int32_t n) override {
    std::this_thread::sleep_for(150ms);
    return n;
  }
};

// A CancelRequest follows, and the connection may stay open.
void check_giving_up(const auto& calls, const IDL::traits<PortableServer::POA>::ref_type& poa) {
  check("given_up", [&] {
    auto id = poa->activate_object(CORBA::make_reference<SlowCaller>());
    auto slow = IDL::traits<Interop::Caller>::narrow(poa->id_to_reference(id));
    expect<CORBA::TIMEOUT>(
        [&] {
          const takt::DeadlineScope short_of_time(50ms);
          calls->call_back(slow, 1);
        },
        [](const CORBA::TIMEOUT&) {});
    calls->title("after that");
    require(calls->title() == "after that", "another value");
  });
}

void check_calls(const auto& calls) {
  check("void", [&] { calls->ping(); });
  check("attribute", [&] {
    calls->title("a title");
    require(calls->title() == "a title", "another value");
    require(static_cast<bool>(calls->kinds()), "nil");
  });
  check("attribute.exceptions", [&] {
    calls->guarded(0);
    expect<Interop::Nothing>([&] { calls->guarded(); }, [](const Interop::Nothing&) {});
    calls->guarded(5);
    expect<Interop::Refused>([&] { calls->guarded(-3); },
                             [](const Interop::Refused& refused) {
                               require(refused.why() == "negative" && refused.code() == -3, "members differ");
                             });
    require(calls->guarded() == 5, "another value");
  });
  check("context", [&] { require(calls->in_context(7, 0) == 21, "another number"); });
  check("oneway", [&] {
    for (int32_t n = 1; n <= 100; ++n) calls->note(n);
    // A server's threads may overtake each other, but no oneway may be lost.
    for (int tries = 0; calls->noted() == 0 && tries < 1000; ++tries) std::this_thread::yield();
    require(calls->noted() > 0, "no oneway arrived");
  });
}

void check_locate_requests(const auto& calls, const IDL::traits<CORBA::ORB>::ref_type& orb) {
  using takt::giop::LocateStatus;
  check("locate.request", [&] {
    require(Peer(orb->object_to_string(calls)).locate() == LocateStatus::object_here,
            "the server's object is not here");
    const LocateStatus absent = Peer(orb->object_to_string(calls->absent())).locate();
    require(absent == LocateStatus::unknown_object || absent == LocateStatus::system_exception,
            "the absent one is here");
  });
}

void check_text(const auto& calls) {
  check("text.wide", [&] { require(calls->pass_wide(clef_wide) == clef_wide, "another text"); });
  check("text.narrow", [&] { require(calls->pass_narrow(clef_narrow) == clef_narrow, "another text"); });
}

void check_threads(const auto& calls) {
  check("threads", [&] {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (uint8_t n = 0; n < 8; ++n)
      threads.emplace_back([&calls, &wrong, n] {
        for (std::size_t size = 1; size < 40000; size += 1000) try {
            const Interop::Octets octets(size, n);
            if (calls->echo_octets(octets) != octets) ++wrong;
          } catch (const CORBA::Exception&) {
            ++wrong;
          }
      });
    for (std::thread& thread : threads) thread.join();
    require(wrong == 0, std::to_string(wrong) + " of 320 calls went wrong");
  });
}

void check_sizes(const auto& calls) {
  for (const std::size_t size : {0u, 1000u, 2047u, 8190u, 65536u, 1048577u})
    check("size.octets." + std::to_string(size), [&] {
      Interop::Octets octets(size);
      for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<uint8_t>(i * 31 + i / 256);
      require(calls->echo_octets(octets) == octets, "other octets");
    });
  for (const std::size_t size : {100u, 3000u, 50000u})
    check("size.strings." + std::to_string(size), [&] {
      Interop::Strings strings;
      for (std::size_t i = 0; i < size; ++i) strings.push_back(std::string(i % 13, 'x') + std::to_string(i));
      require(calls->echo_strings(strings) == strings, "other strings");
    });
}

// Each broken connection is noticed by a call at the latest, which may fail without being repeated.
template <class Call>
void once_more(Call call) {
  for (int tries = 0;; ++tries) try {
      return call();
    } catch (const CORBA::COMM_FAILURE&) {
      if (tries == 10) throw;
    } catch (const CORBA::TRANSIENT&) {
      if (tries == 10) throw;
    }
}

// The server ends and restarts between "READY" and the line that comes back.
void check_restart(const auto& calls) {
  check_threads(calls);
  const auto giver = calls->giver();
  check("restart.before", [&] {
    calls->title("first");
    require(giver->called(2) == 4, "another number");
  });
  std::cout << "READY" << std::endl;
  std::cin.get();
  check("restart.persistent", [&] {
    once_more([&] { calls->ping(); });
    require(calls->title().empty(), "the server did not start again");
    // Through a bridge, this call uses another connection, which is broken too.
    once_more([&] { require(calls->giver()->called(3) == 6, "another number"); });
  });
  check("restart.transient", [&] {
    expect<CORBA::OBJECT_NOT_EXIST>([&] { once_more([&] { giver->called(2); }); },
                                    [](const CORBA::OBJECT_NOT_EXIST&) {});
  });
}

// Occupies the server's thread for a number of milliseconds.
class BusyCaller final : public virtual CORBA::servant_traits<Interop::Caller>::base_type {
 public:
  explicit BusyCaller(std::promise<void>& began) : began_(began) {}
  int32_t called(int32_t milliseconds) override {
    began_.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return milliseconds;
  }

 private:
  std::promise<void>& began_;
};

Calls at_time(const Calls& calls, const IDL::traits<CORBA::ORB>::ref_type& orb, CORBA::PolicyType type,
              std::chrono::milliseconds from_now) {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch() + from_now;
  CORBA::Any moment;
  moment <<= TimeBase::UtcT(0x01b21dd213814000 + static_cast<std::uint64_t>(since_1970 / 100ns), 0, 0, 0);
  return IDL::traits<Interop::Calls>::narrow(
      calls->_set_policy_overrides({orb->create_policy(type, moment)}, CORBA::SetOverrideType::ADD_OVERRIDE));
}

// The server's only thread is busy for longer than the time of the request.
void check_times(const Calls& calls, const IDL::traits<CORBA::ORB>::ref_type& orb,
                 const IDL::traits<PortableServer::POA>::ref_type& poa) {
  calls->title("before");
  check("times.request_end", [&] {
    std::promise<void> began;
    const auto slow = CORBA::make_reference<BusyCaller>(began);
    const auto own = IDL::traits<Interop::Caller>::narrow(poa->id_to_reference(poa->activate_object(slow)));
    std::thread busy([&] { calls->call_back(own, 600); });
    began.get_future().wait();
    expect<CORBA::TIMEOUT>(
        [&] { at_time(calls, orb, Messaging::REQUEST_END_TIME_POLICY_TYPE, 200ms)->title("late"); },
        [](const CORBA::TIMEOUT& late) { require(late.completed() == CORBA::COMPLETED_NO, "it began"); });
    busy.join();
    require(calls->title() == "before", "the upcall ran");
  });
  check("times.request_start", [&] {
    const auto begin = std::chrono::steady_clock::now();
    at_time(calls, orb, Messaging::REQUEST_START_TIME_POLICY_TYPE, 300ms)->title("started");
    require(std::chrono::steady_clock::now() - begin >= 299ms, "it did not wait");
    require(calls->title() == "started", "another title");
  });
  check("times.in_time", [&] {
    at_time(calls, orb, Messaging::REQUEST_END_TIME_POLICY_TYPE, 10s)->title("request");
    at_time(calls, orb, Messaging::REPLY_END_TIME_POLICY_TYPE, 10s)->title("reply");
    require(calls->title() == "reply", "another title");
  });
}

void check_most(const auto& calls, bool restart, const IDL::traits<CORBA::ORB>::ref_type& orb,
                const IDL::traits<PortableServer::POA>::ref_type& poa) {
  if (restart) return check_restart(calls);
  check_calls(calls);
  check_exceptions(calls);
  check_references(calls, poa);
  check_giving_up(calls, poa);
  check_types(calls->kinds());
  check_locate_requests(calls, orb);
  check_text(calls);
  check_values(calls->valued());
  check_sizes(calls);
}

// Runs the ORB until the end of its scope, however that is left.
class Serving {
 public:
  explicit Serving(const CORBA::object_reference<CORBA::ORB>& orb)
      : orb_(orb), thread_([orb] { orb->run(); }) {}
  ~Serving() {
    orb_->shutdown(false);
    thread_.join();
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

 private:
  CORBA::object_reference<CORBA::ORB> orb_;
  std::thread thread_;
};

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    const bool dynamic = interop::take_option(argc, argv, "--dynamic");
    if (argc != 2 && argc != 3) {
      std::cerr << "usage: interop_takt_client [--dynamic] REFERENCE [restart|times]\n";
      return 2;
    }
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    interop::register_factories(orb);
    {
      const interop::Serving serving(orb);
      auto calls = IDL::traits<Interop::Calls>::narrow(orb->string_to_object(argv[1]));
      if (argc == 3 && std::string_view(argv[2]) == "times")
        interop::check_times(calls, orb, poa);
      else if (dynamic)
        interop::check_most(interop::DynamicCalls(calls), argc == 3, orb, poa);
      else
        interop::check_most(calls, argc == 3, orb, poa);
    }
    orb->destroy();
  } catch (const std::exception& failure) {
    std::cout << "FAIL client: " << failure.what() << std::endl;
    return 1;
  }
}
