import Glibc
import TestSupport
import Testing

@testable import HTTPFrontEnd

@Suite(.blocking)
struct DescriptorTests {
    /// Out of descriptors, accepting rests without a busy loop; when some are free again, those who waited are served.
    @Test func restsWithoutDescriptorsAndRecovers() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let first = try server.connect()
            try first.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try first.receiveHead()
            // The clients' sockets are there before the limit, so that only the server runs into it: it finds room for 8.
            let sockets = (0..<22).map { _ in socket(server.address.family, Int32(SOCK_STREAM.rawValue), 0) }
            let lowestFree = dup(0)
            close(lowestFree)
            var limit = rlimit(rlim_cur: rlim_t(lowestFree + 8), rlim_max: rlim_t(lowestFree + 8))
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var clients = try sockets.map { try TestClient(server.address, on: $0) }
            precondition(eventually { server.rejections(.descriptors) >= 2 })
            clients.removeFirst(14)
            for client in clients {
                try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try client.receiveHead()
                precondition(answer == Wire.now)
            }
            // One try a tenth of a second; a busy loop makes thousands.
            precondition(server.rejections(.descriptors) < 500)
        }
    }
}
