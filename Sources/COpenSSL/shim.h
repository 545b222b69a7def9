// OpenSSL 3: the headers that Ackhub uses, and functions in place of macros that Swift can't see.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

static const uint64_t copenssl_op_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t copenssl_op_cipher_server_preference = SSL_OP_CIPHER_SERVER_PREFERENCE;

static inline int copenssl_ctx_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

// RFC 6066 section 3, for clients.
static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

// Writes may be partial and their buffer may move between tries; an idle connection holds no buffers. Sessions resume by
// tickets, which the client keeps: no cache here.
static inline void copenssl_ctx_set_connection_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

#endif
