// The client's checks of valuetypes.
#pragma once

#include <functional>

#include "report.h"
#include "values.h"

namespace interop {

inline std::string describe() {
  try {
    throw;
  } catch (const Interop::Mismatch& mismatch) {
    return "the server has another value of " + mismatch.type();
  } catch (const std::exception& failure) {
    return failure.what();
  }
}
inline void check(const std::string& name, const std::function<void()>& body) {
  report(name, body, describe);
}

void check_values(const auto& values) {
  check("value.null", [&] { require(!values->pass_null(nullptr), "null is no longer null"); });
  check("value.graph", [&] {
    const NodeRef sent = graph(), back = values->pass_graph(sent);
    require(is_graph(back), "another graph");
    take_apart(sent);
    take_apart(back);
  });
  check("value.shared", [&] {
    const NodeRef one =
        CORBA::make_reference<Interop::obv::Node>(7, std::string("7"), NodeRef(), Interop::Nodes());
    const auto back = values->pass_shared(one, Interop::Pair(one, 9, one));
    require(back.one() && back.one() == back.two() && back.one()->name() == "7", "not the same");
  });
  const Interop::Octets few{1, 2, 3};
  check("value.derived",
        [&] { require(is_derived(values->pass_derived(derived(few)), few), "another value"); });
  check("value.truncated",
        [&] { require(is_derived(values->pass_truncated(wide(), 77), few), "another value"); });
  check("value.large",
        [&] { require(is_derived(values->pass_large(derived(much())), much()), "another value"); });
  check("value.custom", [&] { require(is_packed(values->pass_packed(packed())), "another value"); });
  check("value.text", [&] {
    require(values->pass_text(CORBA::make_reference<Interop::Text>("boxed"))->_value() == "boxed",
            "another text");
    require(!values->pass_text(nullptr), "null is no longer null");
  });
  check("value.numbers", [&] {
    const std::vector<int32_t> numbers{1, -2, 3};
    require(values->pass_numbers(CORBA::make_reference<Interop::Numbers>(numbers))->_value() == numbers,
            "other numbers");
  });
  check("value.any", [&] {
    const NodeRef sent = graph();
    CORBA::Any any;
    any <<= sent;
    NodeRef back;
    const CORBA::Any passed = values->pass_any(any);
    take_apart(sent);
    require((passed >>= back) && is_graph(back), "another graph");
    take_apart(back);
  });
  check("value.typecode", [&] {
    CORBA::Any node, chunked;
    node <<= NodeRef();
    chunked <<= derived(few);
    require(values->type_of(node)->equal(node.type()), "the TypeCode of Node differs");
    require(values->type_of(chunked)->equal(chunked.type()), "the TypeCode of Derived differs");
  });
}

}  // namespace interop
