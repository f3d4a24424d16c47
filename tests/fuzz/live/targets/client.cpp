// live_client (TYPES VALUES CALLS)...: calls the objects of these references from two threads until it is
// killed. Writes a character for each completed call: the first thread `+` for a return and `-` for a CORBA
// exception, the second thread `*` and `/`.
#include <unistd.h>

#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "callsC.h"
#include "takt/samples.h"
#include "takt/values.h"
#include "untangle.h"

namespace {

using takt::fuzz::live::Untangled;

struct Objects {
  IDL::traits<Interop::Types>::ref_type types;
  IDL::traits<Interop::Values>::ref_type values;
  IDL::traits<Interop::Calls>::ref_type calls;
};

void call(const Objects& objects, unsigned turn) {
  thread_local Untangled kept;
  const auto some =
      CORBA::make_reference<Interop::obv::Node>(1, std::string("one"), interop::NodeRef(), Interop::Nodes());
  CORBA::Any any;
  any <<= std::string("text");
  switch (turn % 16) {
    case 0:
      return objects.calls->ping();
    case 1:
      objects.types->echo(any);
      return;
    case 2:
      objects.types->give("record");
      return;
    case 3:
      objects.types->type_of(any);
      return;
    case 4:
      return kept.take(objects.values->pass_graph(some));
    case 5:
      return kept.take(objects.values->pass_derived(interop::inner_sample()));
    case 6:
      objects.values->pass_any(any);
      return;
    case 7:
      objects.calls->echo_strings({"one", "two"});
      return;
    case 9:
      objects.calls->echo_octets(Interop::Octets(100, 1));
      return;
    case 10:
      objects.calls->same(objects.calls);
      return;
    case 11:
      objects.calls->pass_wide(L"wide");
      return;
    case 12: {
      Interop::Tree value, high;
      objects.types->swap_tree({}, value, high);
      return;
    }
    case 13: {
      Interop::Table value, high;
      objects.types->swap_table({}, value, high);
      return;
    }
    case 14:
      objects.values->pass_text(nullptr);
      return;
    case 15:
      return kept.take(objects.values->pass_null(nullptr));
    default:
      objects.calls->_non_existent();
  }
}

void call_for_ever(const std::vector<Objects>& ways, unsigned turn, char returned, char threw) {
  for (;; ++turn) {
    char result = returned;
    try {
      call(ways[turn / 16 % ways.size()], turn);
    } catch (const CORBA::Exception&) {
      result = threw;
    }
    if (::write(1, &result, 1) != 1) return;
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc < 4 || argc % 3 != 1) {
      std::cerr << "usage: live_client (TYPES VALUES CALLS)...\n";
      return 2;
    }
    interop::register_factories(orb);
    std::vector<Objects> ways;
    for (int i = 1; i + 2 < argc; i += 3)
      ways.push_back({IDL::traits<Interop::Types>::narrow(orb->string_to_object(argv[i])),
                      IDL::traits<Interop::Values>::narrow(orb->string_to_object(argv[i + 1])),
                      IDL::traits<Interop::Calls>::narrow(orb->string_to_object(argv[i + 2]))});
    std::thread other([&] { call_for_ever(ways, 16, '*', '/'); });
    call_for_ever(ways, 0, '+', '-');
    other.join();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
