// Valuetypes and abstract interfaces: two ORBs in one process that communicate over a connection.
#include <iostream>
#include <string>
#include <thread>

#include <takt/corba.h>

#include "postS.h"

// [letter]
class Letter final : public virtual IDL::traits<Post::Letter>::obv_type {
 public:
  Letter() = default;  // for received letters and for copies
  explicit Letter(std::string text) { this->text(text); }
  std::string label() override { return "letter: " + text(); }
};

class LetterFactory final : public IDL::traits<Post::Letter>::factory_type {
 public:
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override {
    return CORBA::make_reference<Letter>();
  }
};
// [letter]

class Shop final : public virtual CORBA::servant_traits<Post::Shop>::base_type {
 public:
  std::string label() override { return "shop"; }
};

// [office]
class Office final : public virtual CORBA::servant_traits<Post::Office>::base_type {
 public:
  std::string stamp(IDL::traits<Post::Item>::ref_type what) override {
    // For a shop, what->label() calls the client's object. For a letter, it calls this process's copy.
    const char* kind = what->_to_object() ? "object" : "value";
    return std::string(kind) + ", " + what->label();
  }
  IDL::traits<Post::Letter>::ref_type answer(IDL::traits<Post::Letter>::ref_type received) override {
    auto answer = CORBA::make_reference<Letter>("Re: " + received->text());
    answer->answers(received);
    return answer;
  }
};
// [office]

int main(int argc, char* argv[]) {
  try {
    auto server = CORBA::ORB_init(argc, argv, "server"), client = CORBA::ORB_init(argc, argv, "client");
    for (const auto& orb : {server, client})
      orb->register_value_factory(Post::Letter::_repository_id(), CORBA::make_reference<LetterFactory>());
    auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    const auto publish = [&](auto servant) {
      return client->string_to_object(
          server->object_to_string(poa->id_to_reference(poa->activate_object(servant))));
    };
    auto office = IDL::traits<Post::Office>::narrow(publish(CORBA::make_reference<Office>()));
    auto shop = IDL::traits<Post::Shop>::narrow(publish(CORBA::make_reference<Shop>()));
    poa->the_POAManager()->activate();
    std::thread serving([&] { server->run(); });

    // [calls]
    auto letter = CORBA::make_reference<Letter>("hello");
    std::cout << office->stamp(shop) << '\n';    // object, shop
    std::cout << office->stamp(letter) << '\n';  // value, letter: hello
    auto answer = office->answer(letter);
    std::cout << answer->text() << " to " << answer->answers()->text() << '\n';  // Re: hello to hello
    // [calls]

    server->shutdown(false);
    serving.join();
    client->destroy();
    server->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
