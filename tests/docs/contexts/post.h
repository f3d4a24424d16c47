// IDL: examples/post/post.idl
#pragma once

#include "plain.h"

#include "postS.h"

class LetterFactory final : public IDL::traits<Post::Letter>::factory_type {
 public:
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override;
};

struct Stamps : CORBA::servant_traits<Post::Office>::base_type {};

inline IDL::traits<Post::Office>::ref_type office;
inline IDL::traits<Post::Shop>::ref_type shop;
inline IDL::traits<Post::Letter>::ref_type letter;
