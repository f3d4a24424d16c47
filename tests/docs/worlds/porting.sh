own_program() { own_programs && hello_server reference; }

bind_catalogue() { takt name bind catalogue reference; }
