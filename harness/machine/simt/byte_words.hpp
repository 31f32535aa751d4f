// The words of CUDA C++ for the bytes of a word, for the host's compiler. Only kernel sources that
// use them include this.
#pragma once

// CUDA Math API: byte i of the result is the one of (x, y), eight bytes from the lowest of x on,
// that the three lowest bits of nibble i name. The fourth bit, which would spread a sign, is not
// used here.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

// The products of four bytes with four bytes, added to a sum.
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 4; ++i) sum += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return sum;
}
