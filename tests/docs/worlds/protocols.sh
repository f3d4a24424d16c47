own_programs
mkdir -p /run/app
