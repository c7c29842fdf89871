/** A certificate that signed itself, for servers of tests that speak TLS; whoever connects must not verify it. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUAjL0bTNkprNiLIWot5jgC9avpLswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIzMTM0MVoYDzIxMjYxMDI5
MjMxMzQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATxaPpJy71BRrqtnQXqbX9GRoNrxggn2KOqpD/9iyq/dwFl//e8avtv
8oqu5Z41T7uz9SBRDqMpm0g5jEqstUqZo1MwUTAdBgNVHQ4EFgQUGyC+5lQMsDmH
+4Ji+Z3Gcap0i8YwHwYDVR0jBBgwFoAUGyC+5lQMsDmH+4Ji+Z3Gcap0i8YwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAxlQNwlUFzKkJjCgctp+I
XNokJV4VpR2s2R6xD43J85MCIDbaM//F4EcDvfqamT58Zpn0mO/tqo9lRm1R2c3n
AHt0
-----END CERTIFICATE-----`
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHnRejxdMIFoCzmKI
50KUHB1PnUVrBpHA7E06QoaYPhihRANCAATxaPpJy71BRrqtnQXqbX9GRoNrxggn
2KOqpD/9iyq/dwFl//e8avtv8oqu5Z41T7uz9SBRDqMpm0g5jEqstUqZ
-----END PRIVATE KEY-----`
