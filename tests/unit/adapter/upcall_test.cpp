// Upcalls as seen by the servant and the caller.
#include <gtest/gtest.h>

#include <future>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

TEST(Upcalls, AServantMayDeactivateItself) {
  Adapters orb;
  bool gone = false;
  ObjectId id;
  auto servant = number_servant(1, [&] {
    orb.root->deactivate_object(id);
    EXPECT_FALSE(gone) << "while an upcall is in it";
  });
  servant->gone = &gone;
  id = orb.root->activate_object(servant);
  const auto reference = orb.root->id_to_reference(id);
  servant = nullptr;
  EXPECT_EQ(orb.call(reference, "run").status, Answer::result);
  EXPECT_TRUE(gone);
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"));
}

TEST(Upcalls, TheCurrentTellsWhoIsCalled) {
  Adapters orb;
  Current current;
  EXPECT_THROW(current.get_POA(), Current::NoContext);
  const auto poa = orb.child("child", {});
  ObjectId id, seen;
  CORBA::servant_reference<Servant> seen_servant;
  Reference seen_reference;
  CORBA::object_reference<POA> seen_poa;
  const auto servant = number_servant(1, [&] {
    seen = current.get_object_id();
    seen_servant = current.get_servant();
    seen_reference = current.get_reference();
    seen_poa = current.get_POA();
  });
  id = poa->activate_object(servant);
  orb.call(poa->id_to_reference(id), "run");
  EXPECT_EQ(seen, id);
  EXPECT_EQ(seen_servant, servant);
  EXPECT_EQ(seen_poa, poa);
  EXPECT_EQ(key_of(seen_reference), key_of(poa->id_to_reference(id)));
  EXPECT_THROW(current.get_object_id(), Current::NoContext);
}

TEST(Upcalls, ReferenceOfTheServantItselfIsThatOfTheRequest) {
  struct Self : NumberServant {
    using NumberServant::NumberServant;
    auto this_ref() { return _this_ref(); }
  };
  Adapters orb;
  std::shared_ptr<reference::ObjectRef> seen;
  Self* self = nullptr;
  const auto servant = CORBA::make_reference<Self>(1, [&] { seen = self->this_ref(); });
  self = servant.get();
  const auto poa =
      orb.child("many", {orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto first = poa->id_to_reference(poa->activate_object(servant));
  const auto second = poa->id_to_reference(poa->activate_object(servant));
  orb.call(second, "run");
  EXPECT_TRUE(std::ranges::equal(seen->local_key(), key_of(second)));
  orb.call(first, "run");
  EXPECT_TRUE(std::ranges::equal(seen->local_key(), key_of(first)));
}

TEST(Upcalls, WhatAServantThrowsIsAnswered) {
  Adapters orb;
  const auto fails = [&](std::function<void()> body) {
    return orb.call(orb.root->servant_to_reference(number_servant(1, std::move(body))), "run");
  };
  EXPECT_TRUE(fails([] { throw CORBA::NO_RESOURCES(5, CORBA::COMPLETED_YES); }).is("NO_RESOURCES"));
  EXPECT_TRUE(fails([] { throw 5; }).is("UNKNOWN"));
}

TEST(Upcalls, UnknownOperationsAreRefused) {
  Adapters orb;
  const auto answer = orb.call(orb.root->servant_to_reference(number_servant(1)), "nonsense");
  EXPECT_TRUE(answer.is("BAD_OPERATION"));
  EXPECT_EQ(answer.minor, CORBA::omg_minor(2));
}

TEST(Upcalls, EveryObjectHasTheBuiltInOperations) {
  Adapters orb;
  const auto key = key_of(orb.root->servant_to_reference(number_servant(1)));
  const auto is_a = [&](const std::string& id) {
    GatherBuffer arguments;
    cdr::Encoder(arguments).put_string(id);
    GatherBuffer reply;
    server::ServerCall call({.object_key = key, .operation = "_is_a"}, {arguments.owned(), arguments.size()},
                            0, {}, reply);
    orb.core->adapter.dispatch(call);
    return reply.owned()[body_index];
  };
  EXPECT_EQ(is_a("IDL:Test/Number:1.0"), 1);
  EXPECT_EQ(is_a("IDL:omg.org/CORBA/Object:1.0"), 1);
  EXPECT_EQ(is_a("IDL:Test/Other:1.0"), 0);
  EXPECT_TRUE(orb.call(key, "_is_a").is("MARSHAL")) << "without its argument";
  EXPECT_EQ(orb.call(key, "_non_existent").status, Answer::result);
  EXPECT_EQ(orb.call(key, "_repository_id").value, 20u) << "the length of the text";
  EXPECT_EQ(orb.call(key, "_component").status, Answer::result);
  EXPECT_EQ(orb.call(key, "_get_component").status, Answer::result);
  EXPECT_TRUE(orb.call(key, "_interface").is("INTF_REPOS"));
}

TEST(Upcalls, OfCallersInTheProcessNeedNoMarshaling) {
  Adapters orb;
  const auto key = key_of(orb.root->servant_to_reference(number_servant(42)));
  std::uint32_t number = 0;
  const auto call = [&](const OperationId& operation) {
    return orb.core->adapter.call_local(operation, &number, key);
  };
  EXPECT_EQ(call(NumberServant::local_number), reference::LocalAnswer::done);
  EXPECT_EQ(number, 42u);
  EXPECT_EQ(call(OperationId{"number"}), reference::LocalAnswer::by_wire);
  orb.root->deactivate_object(orb.root->reference_to_id(orb.root->servant_to_reference(number_servant(1))));
  orb.root->destroy(false, true);
  EXPECT_THROW(call(NumberServant::local_number), CORBA::OBJECT_NOT_EXIST);
}

// For an adapter with one upcall at a time.
struct TurnTest : testing::Test {
  Adapters orb;
  CORBA::object_reference<POA> poa =
      orb.child("single", {orb.root->create_thread_policy(ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  Reference reference = poa->id_to_reference(poa->activate_object(number_servant(5)));

  // A body whose rest is fetched by `read`.
  struct Arriving final : server::ServerCall::ArrivingBody, cdr::Decoder::Source {
    std::function<bool()> read;
    int asked = 0;
    cdr::Decoder::Source* read_to_end() override {
      ++asked;
      return read() ? this : nullptr;
    }
    bool read_exact(MutableBytes) override { return false; }
  } body;
  Answer call_with_body() {
    const auto key = key_of(reference);
    GatherBuffer reply;
    server::ServerCall call({.request_id = 7, .object_key = key, .operation = "number"}, {}, 0, {}, reply);
    call.set_arriving(body, body, 100);
    orb.core->adapter.dispatch(call);
    EXPECT_FALSE(call.body_arrives());
    return read_answer(reply);
  }
};

TEST_F(TurnTest, OthersAreServedWhileABodyIsRead) {
  body.read = [&] {
    EXPECT_EQ(std::async(std::launch::async, [&] { return orb.call(reference).value; }).get(), 5u);
    return true;
  };
  EXPECT_EQ(call_with_body().value, 5u);
  EXPECT_EQ(body.asked, 1);
}

TEST_F(TurnTest, TheAdapterMayGoWhileABodyIsRead) {
  body.read = [&] {
    poa->destroy(true, true);
    return true;
  };
  EXPECT_TRUE(call_with_body().is("OBJECT_NOT_EXIST"));
}

TEST_F(TurnTest, ABodyThatDoesNotComeIsRefused) {
  body.read = [] { return false; };
  EXPECT_TRUE(call_with_body().is("MARSHAL"));
  EXPECT_EQ(orb.call(reference).value, 5u);
}

TEST_F(TurnTest, ABodyForWhichThereIsNoMemoryIsRefused) {
  body.read = []() -> bool { throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO); };
  EXPECT_TRUE(call_with_body().is("TRANSIENT"));
  EXPECT_EQ(orb.call(reference).value, 5u);
}

TEST(ServerCalls, AnswerWithAnExceptionAlthoughNothingIsToldOfIt) {
  struct Silent final : cdr::Environment {
    std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&&) override { return nullptr; }
    std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view) override { return nullptr; }
  } environment;
  cdr::Format format;
  format.environment = &environment;
  GatherBuffer reply;
  server::ServerCall call({.request_id = 7, .object_key = {}, .operation = "number"}, {}, 0, format, reply);
  call.system_exception(CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO));
  EXPECT_TRUE(read_answer(reply).is("NO_RESOURCES"));
}

TEST(ServerCalls, EndAfterWhoeverMadeThemHasSentTheAnswer) {
  static std::uint64_t ended;
  ended = 0;
  GatherBuffer reply;
  {
    server::ServerCall call({.request_id = 7, .object_key = {}, .operation = "number"}, {}, 0, {}, reply);
    call.at_end({[](std::uint64_t state) noexcept { ended = state; }, 7});
    call.begin_reply(false);
    EXPECT_EQ(ended, 0u);
  }
  EXPECT_EQ(ended, 7u);
}

TEST(Upcalls, ASingleThreadedPoaHasOneAtATime) {
  Adapters orb;
  const auto poa =
      orb.child("single", {orb.root->create_thread_policy(ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  std::atomic<int> inside{0}, most{0};
  Reference reference;
  const auto id = poa->activate_object(number_servant(1, [&] {
    most = std::max(most.load(), ++inside);
    std::this_thread::yield();
    EXPECT_EQ(orb.call(reference).value, 1u) << "its own thread may come again";
    --inside;
  }));
  reference = poa->id_to_reference(id);
  std::vector<std::future<void>> threads;
  for (int t = 0; t < 4; ++t)
    threads.push_back(std::async(std::launch::async, [&] {
      for (int i = 0; i < 100; ++i) orb.call(reference, "run");
    }));
  threads.clear();
  EXPECT_EQ(most, 1);
}

}  // namespace takt::adapter
