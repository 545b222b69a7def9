import EventStore
import Foundation
import TestSupport

@testable import HubServer

/// Signs JSON Web Tokens as an app's server does, with the openssl command: an implementation apart from the hub's.
final class TokenSigner: Sendable {
    let algorithm: JWTAlgorithm
    private let folder = TemporaryFolder()
    /// Of HS256.
    private let secret: [UInt8]

    /// Made once a process: an RSA key takes a moment.
    static let rsa = Result { try TokenSigner(.rs256, ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]) }
    static let ec = Result { try TokenSigner(.es256, ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]) }
    static let mac = TokenSigner(secret: Array("a shared secret of 40 bytes, not a word".utf8) + [0xFF])

    static func of(_ algorithm: JWTAlgorithm) throws -> TokenSigner {
        switch algorithm {
        case .hs256: self.mac
        case .rs256: try self.rsa.get()
        case .es256: try self.ec.get()
        }
    }

    init(secret: [UInt8]) {
        self.algorithm = .hs256
        self.secret = secret
    }

    /// A fresh key pair; `options` are those of `openssl genpkey -algorithm`.
    init(_ algorithm: JWTAlgorithm, _ options: [String]) throws {
        self.algorithm = algorithm
        self.secret = []
        try Self.openssl(["genpkey", "-out", self.privateFile, "-algorithm"] + options)
        try Self.openssl(["pkey", "-in", self.privateFile, "-pubout", "-out", self.publicFile])
    }

    var privateFile: String { self.folder.file("private.pem") }
    var publicFile: String { self.folder.file("public.pem") }

    /// What an operator would hand over.
    var keyFile: [UInt8] {
        get throws { self.algorithm == .hs256 ? self.secret : try Self.bytes(of: self.publicFile) }
    }

    func key(account: Int64 = 1, id: String = "k", audience: String? = nil, issuer: String? = nil) throws -> JWTKey {
        JWTKey(
            account: account, id: id, algorithm: self.algorithm,
            material: try JWTKeyFile.material(of: try self.keyFile, for: self.algorithm), audience: audience,
            issuer: issuer)
    }

    /// A token in the compact form; the header names the signer's algorithm unless it is given.
    func token(_ claims: String, header: String? = nil) throws -> String {
        let header = header ?? "{\"alg\":\"\(self.algorithm.rawValue)\",\"typ\":\"JWT\"}"
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return try input + "." + Base64URL.encode(self.signature(of: Array(input.utf8)))
    }

    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        // Of its own: tests sign at the same time.
        let folder = TemporaryFolder()
        let (input, output) = (folder.file("input"), folder.file("output"))
        try Data(bytes).write(to: URL(filePath: input))
        let how =
            self.algorithm == .hs256
            ? ["-mac", "HMAC", "-macopt", "hexkey:" + Hex.text(self.secret), "-binary"] : ["-sign", self.privateFile]
        try Self.openssl(["dgst", "-sha256"] + how + ["-out", output, input])
        let signature = try Self.bytes(of: output)
        return self.algorithm == .es256 ? try Self.fixedWidth(signature) : signature
    }

    /// r and s of a DER signature, 32 bytes each.
    static func fixedWidth(_ der: [UInt8]) throws -> [UInt8] {
        var rest = der.dropFirst(2)
        var fixed: [UInt8] = []
        while rest.count > 2 {
            let count = Int(rest[rest.startIndex + 1])
            let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            fixed += [UInt8](repeating: 0, count: 32 - digits.count) + digits
            rest = rest.dropFirst(2 + count)
        }
        return fixed
    }

    static func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    static func openssl(_ arguments: [String]) throws {
        let process = try ChildProcess("openssl", arguments)
        process.closeInput()
        guard process.wait(deadline: .seconds(120)) == 0 else {
            throw DeviceConnection.Fault(description: "openssl \(arguments[0]): \(process.standardError)")
        }
    }
}
