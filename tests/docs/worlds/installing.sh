in_hello() { cp "$SOURCE"/examples/hello/* .; }
