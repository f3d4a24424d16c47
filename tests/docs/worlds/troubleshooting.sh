greeter() { hello_server greeter.ior; }

end_of_server() { end_served; }
