cp "$SOURCE/examples/hello/hello.idl" .
