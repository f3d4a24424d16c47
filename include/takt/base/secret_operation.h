// Operations whose values are secret. Compiles as C++14, because generated code of both mappings uses it.
#pragma once

namespace takt {

// Says that messages of operations with this name, of any interface, have values that IDL marks @secret. From
// then on neither recordings nor logs of this process have the bodies of these messages. Generated code has
// an object for each such operation.
class SecretOperation {
 public:
  // Copies the name, once in the process. Any thread. Ends the process if there is no memory.
  explicit SecretOperation(const char* name) noexcept;
};

}  // namespace takt
