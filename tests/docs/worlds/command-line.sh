servers() {
  cp "$SOURCE/examples/hello/hello.idl" .
  hello_server hello.ior
  serve naming.ior takt naming --memory
}
