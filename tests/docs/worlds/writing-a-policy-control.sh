own_programs
cp "$BUILD"/tests/feature/configuration/{traced,runs,checked,site,shortest,gateway}.so .
hello_server reference -ORBListenEndpoints unix:@site,iiop://127.0.0.1:0
