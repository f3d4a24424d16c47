// Asynchronous calls with reply handlers (takt-idl --mapping classic --ami).
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "asyncsS.h"

namespace {

using namespace Asyncs;

// The texts that handlers have added, in order.
class Told {
 public:
  void say(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    texts_.push_back(text);
    changed_.notify_all();
  }
  // The next text; empty if none comes in time.
  std::string next() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(30), [&] { return taken_ < texts_.size(); })) return {};
    return texts_[taken_++];
  }
  std::size_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return texts_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> texts_;
  std::size_t taken_ = 0;
};

class Desk_i : public virtual POA_Asyncs::Desk {
 public:
  explicit Desk_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  CORBA::Long count() override { return count_; }
  void count(CORBA::Long value) override { count_ = value; }
  Names* list() override {
    Names_var names = new Names(1);
    names->length(1);
    names[0u] = "one";
    return names._retn();
  }
  char* greet(const char* name) override {
    if (std::string(name) == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(150));
    if (std::string(name).empty()) throw Refused(7, "nobody");
    if (std::string(name) == "fail") throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES);
    return CORBA::string_dup((std::string("Hello ") + name).c_str());
  }
  CORBA::LongLong swap(Colour paint, char*& text, Variable_out whole, Spot& point) override {
    whole = new Variable;
    whole->text = static_cast<const char*>(text);
    whole->number = static_cast<CORBA::Long>(paint);
    CORBA::string_free(text);
    text = CORBA::string_dup("swapped");
    point.a += 1;
    return 99;
  }
  Names* join(Names& some, Row_out three, Texts two, CORBA::Any_out value) override {
    for (CORBA::Long i = 0; i != 3; ++i) three[i] = i;
    some.length(some.length() + 1);
    some[some.length() - 1] = two[0];
    two[1] = CORBA::string_dup("second");
    value = new CORBA::Any;
    *value <<= CORBA::Long(12);
    return new Names(some);
  }
  Desk_ptr find(Desk_ptr from, CORBA::Object_out other) override {
    other = CORBA::Object::_duplicate(from);
    return ::Asyncs::Desk::_duplicate(from);
  }
  Mark* move(Mark* one) override {
    one->at(one->at() + 1);
    one->_add_ref();
    return one;
  }
  void rest() override {}
  void stop() override { throw CORBA::OBJECT_NOT_EXIST(3, CORBA::COMPLETED_NO); }
  void note(const char*) override {}
  void op() override {}
  void op_excep() override {}

 private:
  CORBA::ORB_var orb_;
  CORBA::Long count_ = 1;
};

std::string text_of(Messaging::ExceptionHolder* holder) {
  try {
    holder->raise_exception();
  } catch (const Refused& refused) {
    return "Refused " + std::to_string(refused.number) + " " + refused.why.in();
  } catch (const CORBA::SystemException& failed) {
    return std::string(failed._name()) + " " + std::to_string(failed.minor() & 0xfff) + " " +
           std::to_string(failed.completed());
  }
  return "nothing";
}

class Handler_i : public virtual POA_Asyncs::AMI_DeskHandler {
 public:
  explicit Handler_i(Told& told) : told_(told) {}
  void get_count(CORBA::Long value) override { told_.say("count " + std::to_string(value)); }
  void get_count_excep(Messaging::ExceptionHolder* holder) override { failed("get_count", holder); }
  void set_count() override { told_.say("set"); }
  void set_count_excep(Messaging::ExceptionHolder* holder) override { failed("set_count", holder); }
  void get_list(const Names& names) override { told_.say(std::string("list ") + names[0u]); }
  void get_list_excep(Messaging::ExceptionHolder* holder) override { failed("get_list", holder); }
  void greet(const char* text) override { told_.say(text); }
  void greet_excep(Messaging::ExceptionHolder* holder) override { failed("greet", holder); }
  void swap(CORBA::LongLong result, const char* text, const Variable& whole, const Spot& point) override {
    told_.say(std::to_string(result) + " " + text + " " + whole.text.in() + " " +
              std::to_string(whole.number) + " " + std::to_string(point.a));
  }
  void swap_excep(Messaging::ExceptionHolder* holder) override { failed("swap", holder); }
  void join(const Names& result, const Names& some, const Row three, const Texts two,
            const CORBA::Any& value) override {
    CORBA::Long number = 0;
    value >>= number;
    told_.say(std::to_string(result.length()) + " " + static_cast<const char*>(some[some.length() - 1]) +
              " " + std::to_string(three[2]) + " " + two[1].in() + " " + std::to_string(number));
  }
  void join_excep(Messaging::ExceptionHolder* holder) override { failed("join", holder); }
  void find(Desk_ptr result, CORBA::Object_ptr other) override {
    told_.say(result->_is_equivalent(other) ? "the same" : "others");
  }
  void find_excep(Messaging::ExceptionHolder* holder) override { failed("find", holder); }
  void move(Mark* mark) override { told_.say("mark " + std::to_string(mark->at())); }
  void move_excep(Messaging::ExceptionHolder* holder) override { failed("move", holder); }
  void rest() override { told_.say("rested"); }
  void rest_excep(Messaging::ExceptionHolder* holder) override { failed("rest", holder); }
  void stop() override { told_.say("stopped"); }
  void stop_excep(Messaging::ExceptionHolder* holder) override { failed("stop", holder); }
  void op() override { told_.say("op"); }
  void op_ami_excep(Messaging::ExceptionHolder* holder) override { failed("op", holder); }
  void op_excep() override { told_.say("op_excep"); }
  void op_excep_excep(Messaging::ExceptionHolder* holder) override { failed("op_excep", holder); }

 private:
  void failed(const char* what, Messaging::ExceptionHolder* holder) {
    told_.say(std::string(what) + ": " + text_of(holder) + ", " + text_of(holder));
  }
  Told& told_;
};

CORBA::ORB_ptr make_orb(const char* id, const char* endpoint) {
  std::string name = "test", option = "-ORBListenEndpoints", value = endpoint;
  char* arguments[] = {&name[0], &option[0], &value[0], nullptr};
  int count = 3;
  return CORBA::ORB_init(count, arguments, id);
}
PortableServer::POA_ptr active_root(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  return poa._retn();
}

// A server, a client whose ORB has the handlers, and the client's reference of a desk.
class ClassicAsynchronous : public testing::Test {
 protected:
  ClassicAsynchronous()
      : server_(make_orb("server", "iiop://127.0.0.1:0")),
        client_(make_orb("client", "iiop://127.0.0.1:0")),
        server_poa_(active_root(server_)),
        client_poa_(active_root(client_)),
        desk_servant_(new Desk_i(server_)),
        handler_servant_(new Handler_i(told_)) {
    const PortableServer::ObjectId_var id = server_poa_->activate_object(desk_servant_);
    const CORBA::Object_var served = server_poa_->id_to_reference(id);
    const CORBA::String_var text = server_->object_to_string(served);
    const CORBA::Object_var called = client_->string_to_object(text);
    desk_ = Desk::_unchecked_narrow(called);
    const PortableServer::ObjectId_var handler_id = client_poa_->activate_object(handler_servant_);
    const CORBA::Object_var handler = client_poa_->id_to_reference(handler_id);
    handler_ = AMI_DeskHandler::_narrow(handler);
  }
  ~ClassicAsynchronous() override {
    if (!client_is_destroyed_) client_->destroy();
    server_->destroy();
  }

  Told told_;
  const CORBA::ORB_var server_, client_;
  const PortableServer::POA_var server_poa_, client_poa_;
  const PortableServer::Servant_var<Desk_i> desk_servant_;
  const PortableServer::Servant_var<Handler_i> handler_servant_;
  Desk_var desk_;
  AMI_DeskHandler_var handler_;
  bool client_is_destroyed_ = false;
};

}  // namespace

TEST_F(ClassicAsynchronous, HandlersGetResultsOfEachKind) {
  desk_->sendc_greet(handler_, "you");
  EXPECT_EQ(told_.next(), "Hello you");
  Spot spot;
  spot.a = 4;
  spot.b = 0;
  desk_->sendc_swap(handler_, green, "text", spot);
  EXPECT_EQ(told_.next(), "99 swapped text 1 5");
  Names names;
  names.length(1);
  names[0u] = "a";
  Texts two;
  two[0] = CORBA::string_dup("b");
  desk_->sendc_join(handler_, names, two);
  EXPECT_EQ(told_.next(), "2 b 2 second 12");
  desk_->sendc_find(handler_, desk_);
  EXPECT_EQ(told_.next(), "the same");
  Mark_var mark = new OBV_Asyncs::Mark(41);
  desk_->sendc_move(handler_, mark);
  EXPECT_EQ(told_.next(), "mark 42");
  EXPECT_EQ(mark->at(), 41);
  desk_->sendc_rest(handler_);
  EXPECT_EQ(told_.next(), "rested");
}

TEST_F(ClassicAsynchronous, AttributesAreReadAndWritten) {
  desk_->sendc_set_count(handler_, 5);
  EXPECT_EQ(told_.next(), "set");
  desk_->sendc_get_count(handler_);
  EXPECT_EQ(told_.next(), "count 5");
  desk_->sendc_get_list(handler_);
  EXPECT_EQ(told_.next(), "list one");
}

TEST_F(ClassicAsynchronous, ExceptionsComeInAHolderWithTheirTypes) {
  desk_->sendc_greet(handler_, "");
  EXPECT_EQ(told_.next(), "greet: Refused 7 nobody, Refused 7 nobody");
  desk_->sendc_greet(handler_, "fail");
  EXPECT_EQ(told_.next(), "greet: NO_PERMISSION 5 0, NO_PERMISSION 5 0");
  desk_->sendc_stop(handler_);
  EXPECT_EQ(told_.next(), "stop: OBJECT_NOT_EXIST 3 1, OBJECT_NOT_EXIST 3 1");
}

TEST_F(ClassicAsynchronous, HandlersMayBeInAnotherOrb) {
  const PortableServer::ObjectId_var id = server_poa_->activate_object(handler_servant_);
  const CORBA::Object_var there = server_poa_->id_to_reference(id);
  const CORBA::String_var text = server_->object_to_string(there);
  const CORBA::Object_var object = client_->string_to_object(text);
  const AMI_DeskHandler_var handler = AMI_DeskHandler::_narrow(object);
  desk_->sendc_greet(handler, "you");
  EXPECT_EQ(told_.next(), "Hello you");
  desk_->sendc_greet(handler, "");
  EXPECT_EQ(told_.next(), "greet: Refused 7 nobody, Refused 7 nobody");
  desk_->sendc_stop(handler);
  EXPECT_EQ(told_.next(), "stop: OBJECT_NOT_EXIST 3 1, OBJECT_NOT_EXIST 3 1");
}

TEST_F(ClassicAsynchronous, ObjectsOfTheProcessAreCalledToo) {
  const CORBA::Object_var own = client_poa_->servant_to_reference(handler_servant_);
  EXPECT_TRUE(own->_is_a("IDL:omg.org/Messaging/ReplyHandler:1.0"));
  const PortableServer::ObjectId_var id = client_poa_->activate_object(desk_servant_);
  const CORBA::Object_var object = client_poa_->id_to_reference(id);
  const Desk_var here = Desk::_narrow(object);
  here->sendc_greet(handler_, "you");
  EXPECT_EQ(told_.next(), "Hello you");
  here->sendc_greet(handler_, "");
  EXPECT_EQ(told_.next(), "greet: Refused 7 nobody, Refused 7 nobody");
}

TEST_F(ClassicAsynchronous, ANilHandlerIsToldNothing) {
  desk_->sendc_greet(AMI_DeskHandler::_nil(), "you");
  desk_->sendc_greet(nullptr, "");
  desk_->sendc_rest(handler_);
  EXPECT_EQ(told_.next(), "rested");
  EXPECT_EQ(told_.count(), 1u);
}

TEST_F(ClassicAsynchronous, NilIsNotCalled) {
  EXPECT_THROW(Desk::_nil()->sendc_rest(handler_), CORBA::INV_OBJREF);
  EXPECT_THROW(desk_->sendc_greet(handler_, nullptr), CORBA::BAD_PARAM);
  desk_->sendc_rest(handler_);
  EXPECT_EQ(told_.next(), "rested") << "a call that was not sent leaves nothing behind";
}

TEST_F(ClassicAsynchronous, ManyCallsAreUnderWayAtOnce) {
  for (int i = 0; i != 500; ++i) desk_->sendc_rest(handler_);
  for (int i = 0; i != 500; ++i) ASSERT_EQ(told_.next(), "rested");
}

TEST_F(ClassicAsynchronous, NamesThatClashAreChanged) {
  desk_->sendc_op(handler_);
  EXPECT_EQ(told_.next(), "op");
  desk_->sendc_op_excep(handler_);
  EXPECT_EQ(told_.next(), "op_excep");
}

namespace {

const CORBA::ULong long_time = 30000;  // ms

// The name and minor code of the system exception that the call throws.
template <class Call>
std::string raised(const Call& call) {
  try {
    call();
  } catch (const CORBA::SystemException& failed) {
    return std::string(failed._name()) + " " + std::to_string(failed.minor() & 0xfff);
  }
  return "nothing";
}

}  // namespace

TEST_F(ClassicAsynchronous, PollersGiveResultsOfEachKind) {
  AMI_DeskPoller_var poller = desk_->sendp_greet("you");
  CORBA::String_var text;
  poller->greet(long_time, text.out());
  EXPECT_STREQ(text, "Hello you");
  Spot spot;
  spot.a = 4;
  spot.b = 0;
  poller = desk_->sendp_swap(green, "text", spot);
  CORBA::LongLong number = 0;
  Variable_var whole;
  poller->swap(long_time, number, text.out(), whole.out(), spot);
  EXPECT_EQ(number, 99);
  EXPECT_STREQ(text, "swapped");
  EXPECT_STREQ(whole->text, "text");
  EXPECT_EQ(spot.a, 5);
  Names names;
  names.length(1);
  names[0u] = "a";
  Texts two;
  two[0] = CORBA::string_dup("b");
  poller = desk_->sendp_join(names, two);
  Names_var joined, some;
  Row three;
  Texts_var texts;
  CORBA::Any_var value;
  poller->join(long_time, joined.out(), some.out(), three, texts.out(), value.out());
  EXPECT_EQ(joined->length(), 2u);
  EXPECT_STREQ(some[1u], "b");
  EXPECT_EQ(three[2], 2);
  EXPECT_STREQ(texts[1], "second");
  CORBA::Long in_any = 0;
  EXPECT_TRUE(value.in() >>= in_any);
  EXPECT_EQ(in_any, 12);
  poller = desk_->sendp_find(desk_);
  Desk_var same;
  CORBA::Object_var other;
  poller->find(long_time, same.out(), other.out());
  EXPECT_TRUE(same->_is_equivalent(other));
  Mark_var mark = new OBV_Asyncs::Mark(41), moved;
  poller = desk_->sendp_move(mark);
  poller->move(long_time, moved.out());
  EXPECT_EQ(moved->at(), 42);
  poller = desk_->sendp_rest();
  poller->rest(long_time);
  poller = desk_->sendp_op();
  poller->op(long_time);
}

TEST_F(ClassicAsynchronous, PollersReadAndWriteAttributes) {
  AMI_BasePoller_var poller = desk_->sendp_set_count(5);
  poller->set_count(long_time);
  poller = desk_->sendp_get_count();
  CORBA::Long count = 0;
  poller->get_count(long_time, count);
  EXPECT_EQ(count, 5);
  poller = desk_->sendp_get_list();
  const CORBA::String_var name = poller->operation_name();
  EXPECT_STREQ(name, "_get_list");
  Names_var list;
  poller->get_list(long_time, list.out());
  EXPECT_STREQ(list[0u], "one");
}

TEST_F(ClassicAsynchronous, PollersThrowTypedExceptions) {
  AMI_DeskPoller_var poller = desk_->sendp_greet("");
  CORBA::String_var text;
  EXPECT_EQ(raised([&] { poller->is_from_poller(); }), "BAD_INV_ORDER 22");
  try {
    poller->greet(long_time, text.out());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.number, 7);
    EXPECT_STREQ(refused.why, "nobody");
  }
  EXPECT_FALSE(poller->is_from_poller());
  EXPECT_EQ(raised([&] { poller->greet(0, text.out()); }), "OBJECT_NOT_EXIST 5");
  EXPECT_TRUE(poller->is_from_poller());
  poller = desk_->sendp_stop();
  EXPECT_EQ(raised([&] { poller->rest(0); }), "BAD_OPERATION 0");
  EXPECT_EQ(raised([&] { poller->stop(long_time); }), "OBJECT_NOT_EXIST 3");
}

TEST_F(ClassicAsynchronous, PollersWaitAsLongAsTheyAreTold) {
  const PortableServer::POAManager_var manager = server_poa_->the_POAManager();
  manager->hold_requests(false);
  const AMI_DeskPoller_var poller = desk_->sendp_rest();
  EXPECT_FALSE(poller->is_ready(0));
  EXPECT_EQ(raised([&] { poller->rest(0); }), "NO_RESPONSE 1");
  EXPECT_EQ(raised([&] { poller->rest(20); }), "TIMEOUT 1");
  CORBA::PollableSet_var set = poller->create_pollable_set();
  EXPECT_EQ(raised([&] { CORBA::Pollable_var(set->get_ready_pollable(0)); }), "NO_RESPONSE 1");
  EXPECT_EQ(raised([&] { set->add_pollable(poller); }), "BAD_PARAM 43");
  EXPECT_EQ(raised([&] { set->add_pollable(nullptr); }), "BAD_PARAM 0");
  EXPECT_EQ(set->number_left(), 1);
  manager->activate();
  const CORBA::Pollable_var ready = set->get_ready_pollable(long_time);
  AMI_DeskPoller* const same = AMI_DeskPoller::_downcast(ready);
  ASSERT_EQ(same, poller.in());
  EXPECT_THROW(set->get_ready_pollable(0), CORBA::PollableSet::NoPossiblePollable);
  EXPECT_THROW(set->remove(poller), CORBA::PollableSet::UnknownPollable);
  set->add_pollable(poller);
  set->remove(poller);
  same->rest(0);
}

TEST_F(ClassicAsynchronous, ASetHasRepliesOfDynamicRequestsToo) {
  const PortableServer::POAManager_var manager = server_poa_->the_POAManager();
  manager->hold_requests(false);
  const AMI_DeskPoller_var poller = desk_->sendp_rest();
  const CORBA::PollableSet_var set = poller->create_pollable_set();
  const CORBA::DIIPollable_var replies = set->create_dii_pollable();
  EXPECT_FALSE(replies->is_ready(0));
  set->add_pollable(replies);
  EXPECT_EQ(raised([&] { set->add_pollable(replies); }), "BAD_PARAM 43");
  EXPECT_EQ(raised([&] { CORBA::PollableSet_var(replies->create_pollable_set()); }), "BAD_PARAM 43");
  EXPECT_EQ(raised([&] { CORBA::Pollable_var(set->get_ready_pollable(20)); }), "TIMEOUT 1");
  const CORBA::Request_var request = desk_->_request("rest");
  request->send_deferred();
  manager->activate();
  bool was_replies = false;
  for (; set->number_left() != 0;) {
    const CORBA::Pollable_var ready = set->get_ready_pollable(long_time);
    if (AMI_DeskPoller* const call = AMI_DeskPoller::_downcast(ready)) {
      EXPECT_EQ(call, poller.in());
      continue;
    }
    EXPECT_EQ(CORBA::DIIPollable::_downcast(ready), replies.in());
    EXPECT_TRUE(request->poll_response());
    was_replies = true;
  }
  EXPECT_TRUE(was_replies);
  EXPECT_FALSE(replies->is_ready(0)) << "the reply was taken";
}

TEST_F(ClassicAsynchronous, SetsKeepTheirPollers) {
  CORBA::PollableSet_var set;
  {
    const AMI_DeskPoller_var first = desk_->sendp_greet("0");
    set = first->create_pollable_set();
  }
  for (int i = 1; i != 20; ++i) {
    const AMI_DeskPoller_var one = desk_->sendp_greet(std::to_string(i).c_str());
    set->add_pollable(one);
  }
  int found = 0;
  for (; set->number_left() != 0; ++found) {
    const CORBA::Pollable_var ready = set->get_ready_pollable(long_time);
    CORBA::String_var text;
    AMI_DeskPoller::_downcast(ready)->greet(0, text.out());
    EXPECT_EQ(std::string(text).find("Hello "), 0u);
  }
  EXPECT_EQ(found, 20);
}

TEST_F(ClassicAsynchronous, HandlersMayTakeOverFromPollers) {
  AMI_DeskPoller_var poller = desk_->sendp_greet("you");
  ASSERT_TRUE(poller->is_ready(long_time));
  poller->associated_handler(handler_);
  EXPECT_EQ(told_.next(), "Hello you");
  const Messaging::ReplyHandler_var has = poller->associated_handler();
  EXPECT_TRUE(has->_is_equivalent(handler_));
  CORBA::String_var text;
  EXPECT_EQ(raised([&] { poller->greet(0, text.out()); }), "OBJECT_NOT_EXIST 5");
  const PortableServer::POAManager_var manager = server_poa_->the_POAManager();
  manager->hold_requests(false);
  poller = desk_->sendp_greet("");
  poller->associated_handler(handler_);
  manager->activate();
  EXPECT_EQ(told_.next(), "greet: Refused 7 nobody, Refused 7 nobody");
}

TEST_F(ClassicAsynchronous, PollersKnowTheirTargetAndStayInTheirProcess) {
  const AMI_DeskPoller_var poller = desk_->sendp_rest();
  const CORBA::Object_var target = poller->operation_target();
  EXPECT_TRUE(target->_is_equivalent(desk_));
  EXPECT_EQ(raised([&] { poller->_copy_value(); }), "MARSHAL 0");
  EXPECT_THROW(Desk::_nil()->sendp_rest(), CORBA::INV_OBJREF);
  EXPECT_THROW(desk_->sendp_greet(nullptr), CORBA::BAD_PARAM);
  EXPECT_TRUE(CORBA::is_nil(CORBA::PollableSet::_nil()));
}

TEST_F(ClassicAsynchronous, AServerThatIsGoneIsAFailureOfTheCall) {
  server_->shutdown(true);
  try {
    desk_->sendc_rest(handler_);
  } catch (const CORBA::TRANSIENT&) {
    return;  // no connection
  }
  EXPECT_TRUE(told_.next().find("rest: ") == 0);
}

namespace {

// Throws from each reply.
class Thrower : public Handler_i {
 public:
  using Handler_i::Handler_i;
  void greet(const char* text) override {
    Handler_i::greet(text);
    switch (thrown_++ % 4) {
      case 0:
        throw CORBA::NO_MEMORY();
      case 1:
        throw Refused(1, "thrown");
      case 2:
        throw std::runtime_error("thrown");
      default:
        throw 7;
    }
  }

 private:
  int thrown_ = 0;
};

}  // namespace

TEST_F(ClassicAsynchronous, HandlersMayThrow) {
  PortableServer::Servant_var<Thrower> thrower = new Thrower(told_);
  const PortableServer::ObjectId_var id = client_poa_->activate_object(thrower.in());
  const CORBA::Object_var object = client_poa_->id_to_reference(id);
  const AMI_DeskHandler_var handler = AMI_DeskHandler::_narrow(object);
  for (int i = 0; i < 4; ++i) desk_->sendc_greet(handler, "you");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(told_.next(), "Hello you");
  desk_->sendc_greet(handler_, "others");
  EXPECT_EQ(told_.next(), "Hello others");
}

TEST_F(ClassicAsynchronous, HandlersThatWereDeactivatedAreNotCalled) {
  desk_->sendc_greet(handler_, "slow");
  handler_ = AMI_DeskHandler::_nil();
  const PortableServer::ObjectId_var id = client_poa_->servant_to_id(handler_servant_.in());
  client_poa_->deactivate_object(id);
  CORBA::String_var(desk_->greet("slow"));
  EXPECT_EQ(told_.count(), 0u);
}

TEST_F(ClassicAsynchronous, ADestroyedOrbEndsItsCalls) {
  const AMI_DeskPoller_var waited = desk_->sendp_greet("slow"), in_set = desk_->sendp_greet("slow");
  const CORBA::PollableSet_var set = in_set->create_pollable_set();
  desk_->sendc_greet(handler_, "slow");
  std::string outcome;
  std::thread waiter([&] {
    try {
      CORBA::String_var text;
      waited->greet(30000, text.out());
    } catch (const CORBA::BAD_INV_ORDER& ended) {
      outcome = ended.NP_minorString();
    }
  });
  client_->destroy();
  client_is_destroyed_ = true;
  waiter.join();
  EXPECT_EQ(outcome, "BAD_INV_ORDER_ORBHasShutdown");
  const CORBA::Pollable_var ready = set->get_ready_pollable(30000);
  CORBA::String_var text;
  EXPECT_THROW(in_set->greet(0, text.out()), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(in_set->greet(0, text.out()), CORBA::OBJECT_NOT_EXIST) << "it was taken";
  EXPECT_THROW(desk_->sendp_rest(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(desk_->sendc_rest(handler_), CORBA::BAD_INV_ORDER);
}
