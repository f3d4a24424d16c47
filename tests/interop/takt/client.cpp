// interop_takt_client REFERENCE: makes every check against the server there.
#include <iostream>
#include <thread>

#include "report.h"
#include "servants.h"
#include "value_checks.h"

namespace interop {
namespace {

using Types = IDL::traits<Interop::Types>::ref_type;
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

void check_any(const std::string& name, const Types& types) {
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

void check_types(const Types& types) {
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

void check_exceptions(const Calls& calls) {
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

void check_references(const Calls& calls, const IDL::traits<PortableServer::POA>::ref_type& poa) {
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

void check_calls(const Calls& calls) {
  check("void", [&] { calls->ping(); });
  check("attribute", [&] {
    calls->title("a title");
    require(calls->title() == "a title", "another value");
    require(static_cast<bool>(calls->kinds()), "nil");
  });
  check("oneway", [&] {
    for (int32_t n = 1; n <= 100; ++n) calls->note(n);
    // A server may have threads that overtake each other, but none that forgets.
    for (int tries = 0; calls->noted() == 0 && tries < 1000; ++tries) std::this_thread::yield();
    require(calls->noted() > 0, "no oneway arrived");
  });
}

void check_text(const Calls& calls) {
  check("text.wide", [&] { require(calls->pass_wide(clef_wide) == clef_wide, "another text"); });
  check("text.narrow", [&] { require(calls->pass_narrow(clef_narrow) == clef_narrow, "another text"); });
}

void check_sizes(const Calls& calls) {
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

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: interop_takt_client REFERENCE\n";
      return 2;
    }
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    interop::register_factories(orb);
    std::thread serving([orb] { orb->run(); });
    {
      auto calls = IDL::traits<Interop::Calls>::narrow(orb->string_to_object(argv[1]));
      interop::check_calls(calls);
      interop::check_exceptions(calls);
      interop::check_references(calls, poa);
      interop::check_types(calls->kinds());
      interop::check_text(calls);
      interop::check_values(calls->valued());
      interop::check_sizes(calls);
    }
    orb->shutdown(false);
    serving.join();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cout << "FAIL client: " << failure.what() << std::endl;
    return 1;
  }
}
