own_programs

# A certificate of the client's, by the authority of the page.
teller() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout teller.key -out teller.csr -subj "/O=Example/CN=teller"
  openssl x509 -req -in teller.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 90 -out teller.pem
}
