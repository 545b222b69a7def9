import Glibc

/// Sends from a thread of its own, so that a test can read meanwhile.
final class Sender {
    private var thread = pthread_t()

    init(_ client: TestClient, _ bytes: [UInt8]) throws {
        let work = Unmanaged.passRetained(Work(descriptor: client.descriptor, bytes: bytes))
        let result = pthread_create(
            &self.thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        precondition(result == 0)
    }

    func join() { pthread_join(self.thread, nil) }

    private final class Work {
        let descriptor: Int32
        let bytes: [UInt8]

        init(descriptor: Int32, bytes: [UInt8]) {
            self.descriptor = descriptor
            self.bytes = bytes
        }

        func run() {
            var sent = 0
            while sent < self.bytes.count {
                let count = self.bytes.withUnsafeBytes {
                    Glibc.send(self.descriptor, $0.baseAddress! + sent, self.bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return }
                sent += count
            }
        }
    }
}
