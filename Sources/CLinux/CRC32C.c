#include "CLinux.h"
#include <string.h>

// Reflected polynomial of CRC-32C (Castagnoli), RFC 3720 appendix B.4.
#define POLYNOMIAL 0x82F63B78u

// Slicing by 8: table[k][b] is the checksum of byte b followed by k zero bytes.
static uint32_t table[8][256];

__attribute__((constructor)) static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++) sum = (sum >> 1) ^ ((sum & 1) ? POLYNOMIAL : 0);
        table[0][byte] = sum;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (int k = 1; k < 8; k++)
            table[k][byte] = (table[k - 1][byte] >> 8) ^ table[0][table[k - 1][byte] & 0xFF];
}

uint32_t clinux_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    crc = ~crc;
    while (count >= 8) {
        uint32_t low = crc ^ ((uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24);
        crc = table[7][low & 0xFF] ^ table[6][(low >> 8) & 0xFF] ^ table[5][(low >> 16) & 0xFF] ^ table[4][low >> 24]
            ^ table[3][next[4]] ^ table[2][next[5]] ^ table[1][next[6]] ^ table[0][next[7]];
        next += 8;
        count -= 8;
    }
    while (count-- > 0) crc = (crc >> 8) ^ table[0][(crc ^ *next++) & 0xFF];
    return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

int clinux_crc32c_has_hardware(void) {
    return __builtin_cpu_supports("sse4.2") != 0;
}

__attribute__((target("sse4.2")))
uint32_t clinux_crc32c_hardware(uint32_t crc, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    uint64_t sum = ~crc;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        sum = _mm_crc32_u64(sum, word);
        next += 8;
        count -= 8;
    }
    uint32_t rest = (uint32_t)sum;
    if (count & 4) {
        uint32_t word;
        memcpy(&word, next, 4);
        rest = _mm_crc32_u32(rest, word);
        next += 4;
    }
    if (count & 2) {
        uint16_t word;
        memcpy(&word, next, 2);
        rest = _mm_crc32_u16(rest, word);
        next += 2;
    }
    if (count & 1) rest = _mm_crc32_u8(rest, *next);
    return ~rest;
}
#else
int clinux_crc32c_has_hardware(void) {
    return 0;
}

uint32_t clinux_crc32c_hardware(uint32_t crc, const void *bytes, size_t count) {
    return clinux_crc32c_portable(crc, bytes, count);
}
#endif

uint32_t clinux_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return clinux_crc32c_has_hardware() ? clinux_crc32c_hardware(crc, bytes, count)
                                        : clinux_crc32c_portable(crc, bytes, count);
}
