// interop_omniorb_client [--dynamic] REFERENCE [restart]: as interop_takt_client. With --dynamic, all calls
// to the server's objects, but those for references that it gives away, go through a gateway in this process.
#include <atomic>
#include <iostream>
#include <thread>
#include <vector>

#include "gateway.h"
#include "options.h"
#include "report.h"
#include "servants.h"

namespace interop {
namespace {

std::string describe() {
  try {
    throw;
  } catch (const Interop::Mismatch& mismatch) {
    return std::string("the server has another value of ") + mismatch.type.in();
  } catch (const CORBA::SystemException& failure) {
    const char* minor = failure.NP_minorString();
    return std::string(failure._name()) + " " + (minor ? minor : std::to_string(failure.minor()));
  } catch (const CORBA::Exception& failure) {
    return failure._name();
  } catch (const std::exception& failure) {
    return failure.what();
  }
}
void check(const std::string& name, const std::function<void()>& body) { report(name, body, describe); }

void require_all(bool result, bool value, bool high) {
  require(result, "the result differs");
  require(value, "the inout argument differs");
  require(high, "the out argument differs");
}

void check_any(const std::string& name, Interop::Types_ptr types) {
  check("any." + name, [&] {
    const CORBA::Any sample = sample_any(name);
    types->take(name.c_str(), sample);
    CORBA::Any_var given = types->give(name.c_str()), echo = types->echo(sample);
    require(holds_sample(name, given.in()), "what was given differs");
    require(holds_sample(name, echo.in()), "the echo differs");
  });
  check("typecode." + name, [&] {
    const CORBA::Any sample = sample_any(name);
    CORBA::TypeCode_var here = sample.type(), there = types->type_of(sample);
    require(here->equal(there), "the TypeCode differs");
  });
}

void check_types(Interop::Types_ptr types) {
#define INTEROP_TYPE(NAME, TYPE)                                                                \
  check("type." #NAME, [&] {                                                                    \
    const Samples<TYPE> samples = NAME##_samples();                                             \
    TYPE value, high;                                                                           \
    value = samples.high;                                                                       \
    const TYPE result = types->swap_##NAME(samples.low, value, high);                           \
    require_all(same(result, samples.low), same(value, samples.low), same(high, samples.high)); \
  });                                                                                           \
  check_any(#NAME, types);
  INTEROP_PLAIN(INTEROP_TYPE)
  INTEROP_FIXED_SIZE(INTEROP_TYPE)
#undef INTEROP_TYPE
#define INTEROP_TYPE(NAME)                                                                         \
  check("type." #NAME, [&] {                                                                       \
    const auto samples = NAME##_samples();                                                         \
    CORBA::String_var value = samples.high.c_str(), high;                                          \
    CORBA::String_var result = types->swap_##NAME(samples.low.c_str(), value.inout(), high.out()); \
    require_all(same(result.in(), samples.low), same(value.in(), samples.low),                     \
                same(high.in(), samples.high));                                                    \
  });                                                                                              \
  check_any(#NAME, types);
  INTEROP_TEXT(INTEROP_TYPE)
#undef INTEROP_TYPE
#define INTEROP_TYPE(NAME, TYPE)                                                                          \
  check("type." #NAME, [&] {                                                                              \
    const Samples<TYPE> samples = NAME##_samples();                                                       \
    TYPE value = samples.high;                                                                            \
    TYPE##_var high, result = types->swap_##NAME(samples.low, value, high.out());                         \
    require_all(same(result.in(), samples.low), same(value, samples.low), same(high.in(), samples.high)); \
  });                                                                                                     \
  check_any(#NAME, types);
  INTEROP_VARIABLE(INTEROP_TYPE)
#undef INTEROP_TYPE
  check("type.wstring", [&] {
    const auto samples = wstring_samples();
    CORBA::WString_var value = CORBA::wstring_dup(samples.high.c_str()), high;
    CORBA::WString_var result = types->swap_wstring(samples.low.c_str(), value.inout(), high.out());
    require_all(same(result.in(), samples.low), same(value.in(), samples.low), same(high.in(), samples.high));
  });
  check_any("wstring", types);
  check("type.matrix", [&] {
    Interop::Matrix value, high;
    Interop::Matrix_copy(value, matrix_high);
    Interop::Matrix_var result = types->swap_matrix(matrix_low, value, high);
    require_all(same_matrix(result.in(), matrix_low), same_matrix(value, matrix_low),
                same_matrix(high, matrix_high));
  });
  check_any("matrix", types);
  check("type.names", [&] {
    Interop::Names low, value;
    value[0] = "first";
    value[1] = "second";
    Interop::Names_var high, result = types->swap_names(low, value, high.out());
    require_all(same_names(result.in(), "", ""), same_names(value, "", ""),
                same_names(high.in(), "first", "second"));
  });
  check_any("names", types);
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

void check_exceptions(Interop::Calls_ptr calls) {
  check("exception.user", [&] {
    expect<Interop::Refused>([&] { calls->refuse("why not", -7); },
                             [](const Interop::Refused& refused) {
                               require(std::string(refused.why) == "why not" && refused.code == -7,
                                       "members differ");
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
    Interop::Calls_var absent = calls->absent();
    expect<CORBA::OBJECT_NOT_EXIST>([&] { absent->ping(); }, [](const CORBA::OBJECT_NOT_EXIST&) {});
  });
}

void check_references(Interop::Calls_ptr calls, PortableServer::POA_ptr poa) {
  check("reference.call_back", [&] {
    PortableServer::ObjectId_var id = poa->activate_object(new CallerServant);
    CORBA::Object_var object = poa->id_to_reference(id);
    Interop::Caller_var own = Interop::Caller::_narrow(object);
    for (CORBA::Long n = 0; n < 10; ++n) require(calls->call_back(own, n) == 2 * n + 1, "another number");
  });
  check("reference.returned", [&] {
    Interop::Caller_var giver = calls->giver();
    require(!CORBA::is_nil(giver) && giver->called(21) == 42, "another number");
    require(calls->call_back(giver, 3) == 7, "another number by way of the server");
  });
  check("reference.same", [&] {
    CORBA::Object_var same = calls->same(calls), nil = calls->same(CORBA::Object::_nil());
    require(same->_is_equivalent(calls), "another object");
    require(CORBA::is_nil(nil), "nil is no longer nil");
  });
  check("reference.is_a", [&] {
    require(calls->_is_a("IDL:Interop/Calls:1.0"), "is not what it is");
    Interop::Caller_var giver = calls->giver();
    CORBA::Object_var object = calls->same(giver);
    require(object->_is_a("IDL:Interop/Caller:1.0"), "the giver is no Caller");
    require(!object->_is_a("IDL:Interop/Calls:1.0"), "the giver is a Calls");
  });
  check("reference.struct", [&] {
    Interop::Link link;
    link.o = 7;
    link.to = calls->giver();
    Interop::Link_var back = calls->pass_link(link);
    require(back->o == 7 && back->to->called(4) == 8 && CORBA::is_nil(back->nobody), "another member");
  });
  check("reference.any", [&] {
    Interop::Caller_var giver = calls->giver();
    CORBA::Any any;
    any <<= giver.in();
    require(calls->call_any(any, 5) == 11, "another number");
    CORBA::Any_var some = calls->any_of(giver), none = calls->any_of(Interop::Caller::_nil());
    Interop::Caller_ptr back;
    require((some.in() >>= back) && back->called(6) == 12, "another object");
    require((none.in() >>= back) && CORBA::is_nil(back), "nil is no longer nil");
  });
  check("forward", [&] {
    Interop::Calls_var forwarded = calls->forwarded();
    forwarded->ping();
    forwarded->title("forwarded");
    CORBA::String_var title = calls->title();
    require(std::string(title) == "forwarded", "another object was called");
    Interop::Octets octets;
    octets.length(20000);
    Interop::Octets_var back = forwarded->echo_octets(octets);
    require(back->length() == 20000, "another size");
  });
  check("locate", [&] {
    Interop::Calls_var absent = calls->absent();
    require(!calls->_non_existent(), "the server's object does not exist");
    require(absent->_non_existent(), "the absent one does");
  });
}

void check_calls(Interop::Calls_ptr calls, CORBA::ORB_ptr orb) {
  check("void", [&] { calls->ping(); });
  check("attribute", [&] {
    calls->title("a title");
    CORBA::String_var title = calls->title();
    Interop::Types_var kinds = calls->kinds();
    require(std::string(title) == "a title", "another value");
    require(!CORBA::is_nil(kinds), "nil");
  });
  check("context", [&] {
    CORBA::Context_var root;
    orb->get_default_context(root.out());
    CORBA::Any value;
    value <<= "a value";
    root->set_one_value("takt", value);
    root->set_one_value("takt.more", value);
    require(calls->in_context(7, 0, root) == 21, "another number");
  });
  check("oneway", [&] {
    for (CORBA::Long n = 1; n <= 100; ++n) calls->note(n);
    // A server's threads may overtake each other, but no oneway may be lost.
    for (int tries = 0; calls->noted() == 0 && tries < 1000; ++tries) omni_thread::yield();
    require(calls->noted() > 0, "no oneway arrived");
  });
}

void check_text(Interop::Calls_ptr calls) {
  check("text.wide", [&] {
    CORBA::WString_var back = calls->pass_wide(clef_wide.c_str());
    require(back.in() == clef_wide, "another text");
  });
  check("text.narrow", [&] {
    CORBA::String_var back = calls->pass_narrow(clef_narrow.c_str());
    require(back.in() == clef_narrow, "another text");
  });
}

void check_values(Interop::Values_ptr values) {
  check("value.null", [&] {
    Interop::Node_var back = values->pass_null(nullptr);
    require(!back.in(), "null is no longer null");
  });
  check("value.graph", [&] {
    Interop::Node_var sent = graph(), back = values->pass_graph(sent);
    require(is_graph(back), "another graph");
    take_apart(sent);
    take_apart(back);
  });
  check("value.shared", [&] {
    Interop::Node_var one = node(7);
    Interop::Pair both;
    both.one = held(one.in());
    both.between = 9;
    both.two = held(one.in());
    Interop::Pair_var back = values->pass_shared(one, both);
    Interop::Node* first = back->one;
    require(first && first == back->two.in() && std::string(first->name()) == "7", "not the same");
  });
  Interop::Octets few = few_octets();
  check("value.derived", [&] {
    Interop::Base_var sent = derived(few), back = values->pass_derived(sent);
    require(is_derived(back, few), "another value");
  });
  check("value.truncated", [&] {
    Interop::Base_var sent = wide(), back = values->pass_truncated(sent, 77);
    require(is_derived(back, few), "another value");
  });
  check("value.large", [&] {
    Interop::Derived_var sent = derived(much()), back = values->pass_large(sent);
    require(is_derived(back, much()), "another value");
  });
  check("value.text", [&] {
    Interop::Text_var sent = new Interop::Text("boxed"), back = values->pass_text(sent);
    require(std::string(back->_value()) == "boxed", "another text");
    Interop::Text_var none = values->pass_text(nullptr);
    require(!none.in(), "null is no longer null");
  });
  check("value.numbers", [&] {
    Interop::Numbers_var sent = new Interop::Numbers(3u);
    sent->length(3);
    (*sent)[0] = 1;
    (*sent)[1] = -2;
    (*sent)[2] = 3;
    Interop::Numbers_var back = values->pass_numbers(sent);
    require(back->length() == 3 && (*back)[1] == -2, "other numbers");
  });
  check("value.any", [&] {
    Interop::Node_var sent = graph();
    CORBA::Any any;
    any <<= sent.in();
    CORBA::Any_var passed = values->pass_any(any);
    take_apart(sent);
    Interop::Node* back;
    require((passed.in() >>= back) && is_graph(back), "another graph");
    take_apart(back);
  });
  check("value.typecode", [&] {
    Interop::Node_var one = node(1);
    Interop::Derived_var other = derived(few);
    CORBA::Any plain, chunked;
    plain <<= one.in();
    chunked <<= other.in();
    CORBA::TypeCode_var first = values->type_of(plain), second = values->type_of(chunked);
    require(first->equal(Interop::_tc_Node), "the TypeCode of Node differs");
    require(second->equal(Interop::_tc_Derived), "the TypeCode of Derived differs");
  });
}

void check_threads(Interop::Calls_ptr calls) {
  check("threads", [&] {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (CORBA::Octet n = 0; n < 8; ++n)
      threads.emplace_back([calls, &wrong, n] {
        for (CORBA::ULong size = 1; size < 40000; size += 1000) try {
            Interop::Octets octets;
            octets.length(size);
            for (CORBA::ULong i = 0; i < size; ++i) octets[i] = n;
            Interop::Octets_var back = calls->echo_octets(octets);
            if (!same(back.in(), octets)) ++wrong;
          } catch (const CORBA::Exception&) {
            ++wrong;
          }
      });
    for (std::thread& thread : threads) thread.join();
    require(wrong == 0, std::to_string(wrong) + " of 320 calls went wrong");
  });
}

void check_sizes(Interop::Calls_ptr calls) {
  for (const CORBA::ULong size : {0u, 1000u, 2047u, 8190u, 65536u, 1048577u})
    check("size.octets." + std::to_string(size), [&] {
      Interop::Octets octets;
      octets.length(size);
      for (CORBA::ULong i = 0; i < size; ++i) octets[i] = static_cast<CORBA::Octet>(i * 31 + i / 256);
      Interop::Octets_var back = calls->echo_octets(octets);
      require(same(back.in(), octets), "other octets");
    });
  for (const CORBA::ULong size : {100u, 3000u, 50000u})
    check("size.strings." + std::to_string(size), [&] {
      Interop::Strings strings;
      strings.length(size);
      for (CORBA::ULong i = 0; i < size; ++i)
        strings[i] = (std::string(i % 13, 'x') + std::to_string(i)).c_str();
      Interop::Strings_var back = calls->echo_strings(strings);
      require(same(back.in(), strings), "other strings");
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
void check_restart(Interop::Calls_ptr calls) {
  check_threads(calls);
  Interop::Caller_var giver = calls->giver();
  check("restart.before", [&] {
    calls->title("first");
    require(giver->called(2) == 4, "another number");
  });
  std::cout << "READY" << std::endl;
  std::cin.get();
  check("restart.persistent", [&] {
    once_more([&] { calls->ping(); });
    CORBA::String_var title = calls->title();
    require(*title.in() == 0, "the server did not start again");
    Interop::Caller_var now = calls->giver();
    // Through a bridge, this call uses another connection, which is broken too.
    once_more([&] { require(now->called(3) == 6, "another number"); });
  });
  check("restart.transient", [&] {
    expect<CORBA::OBJECT_NOT_EXIST>([&] { once_more([&] { giver->called(2); }); },
                                    [](const CORBA::OBJECT_NOT_EXIST&) {});
  });
}

void check_all(Interop::Calls_ptr calls, CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
  check_calls(calls, orb);
  check_exceptions(calls);
  PortableServer::POA_var both = both_ways(orb, poa);
  check_references(calls, both);
  Interop::Types_var types = calls->kinds();
  check_types(types);
  check_text(calls);
  register_factories(orb);
  Interop::Values_var values = calls->valued();
  check_values(values);
  check_sizes(calls);
}

}  // namespace
}  // namespace interop

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bool dynamic = interop::take_option(argc, argv, "--dynamic");
    if (argc != 2 && argc != 3) {
      std::cerr << "usage: interop_omniorb_client [--dynamic] REFERENCE [restart]\n";
      return 2;
    }
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Interop::Calls_var calls = Interop::Calls::_narrow(object);
    if (dynamic) calls = interop::calls_gateway(orb, poa, calls);
    if (argc == 2)
      interop::check_all(calls, orb, poa);
    else
      interop::check_restart(calls);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cout << "FAIL client: " << failure._name() << std::endl;
    return 1;
  }
}
