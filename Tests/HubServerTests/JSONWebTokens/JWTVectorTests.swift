import EventStore
import TestSupport
import Testing

@testable import HubServer

/// The examples of RFC 7515 appendices A.1 to A.3: one payload, signed in three ways.
@Suite struct JWTVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var key: JWTKey
        var token: String
        var testDescription: String { self.key.algorithm.rawValue }
    }

    /// `exp` is 1300819380, `iss` joe.
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let vectors = [
        Vector(
            key: Self.key(
                .hs256, "",
                "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"),
            token: "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + Self.payload
                + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        Vector(
            // The modulus between the constant parts of a 2048-bit key with the exponent 65537.
            key: Self.key(
                .rs256, "30820122300d06092a864886f70d01010105000382010f003082010a0282010100",
                "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4Ql"
                    + "L-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re"
                    + "xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aG"
                    + "hyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ", "0203010001"),
            token: "eyJhbGciOiJSUzI1NiJ9." + Self.payload
                + ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"
                + "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1"
                + "L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYE"
                + "UipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"),
        Vector(
            // x and y after the constant part of an uncompressed P-256 point.
            key: Self.key(
                .es256, "3059301306072a8648ce3d020106082a8648ce3d03010703420004",
                "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "",
                "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"),
            token: "eyJhbGciOiJFUzI1NiJ9." + Self.payload
                + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"),
    ]

    /// Hexadecimal and base64url by turns.
    private static func key(_ algorithm: JWTAlgorithm, _ parts: String...) -> JWTKey {
        let material = parts.enumerated().flatMap { index, part in
            index % 2 == 0 ? Hex.bytes(part) : Base64URL.decode(part)!
        }
        return JWTKey(account: 1, id: "rfc", algorithm: algorithm, material: material, issuer: "joe")
    }

    private static let second: UInt64 = 1_000_000_000
    private static let expiry: UInt64 = 1_300_819_380 * Self.second

    /// Each holds until its `exp`, and the leeway after it.
    @Test(arguments: Self.vectors)
    func holdsUntilItExpires(vector: Vector) throws {
        let token = try JSONWebToken(vector.token)
        let key = try JWTVerifyingKey(vector.key)
        try token.check(with: [key], at: Self.expiry - 1)
        try token.check(with: [key], at: Self.expiry + 59 * Self.second)
        #expect(throws: JWTFault.expired) { try token.check(with: [key], at: Self.expiry + 60 * Self.second) }
    }

    /// A changed bit of the payload or the signature is seen, whichever it is.
    @Test(arguments: Self.vectors)
    func noticesAnyFlippedBit(vector: Vector) throws {
        let key = try JWTVerifyingKey(vector.key)
        let token = try JSONWebToken(vector.token)
        for index in token.signature.indices {
            for bit in 0..<8 {
                var changed = token.signature
                changed[index] ^= 1 << UInt8(bit)
                #expect(!key.isSignature(changed, of: token.signedBytes))
            }
        }
        for index in stride(from: 0, to: token.signedBytes.count, by: 7) {
            var changed = token.signedBytes
            changed[index] ^= 1
            #expect(!key.isSignature(token.signature, of: changed))
        }
        #expect(key.isSignature(token.signature, of: token.signedBytes))
    }

    /// A signature that is cut, longer, all zeros or nothing is none.
    @Test(arguments: Self.vectors)
    func refusesSignaturesOfOtherLengths(vector: Vector) throws {
        let key = try JWTVerifyingKey(vector.key)
        let token = try JSONWebToken(vector.token)
        for signature in [
            [], Array(token.signature.dropLast()), token.signature + [0], [0] + token.signature,
            [UInt8](repeating: 0, count: token.signature.count), [UInt8](repeating: 0xFF, count: token.signature.count),
        ] {
            #expect(!key.isSignature(signature, of: token.signedBytes))
        }
    }
}
