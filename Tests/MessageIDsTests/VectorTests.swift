import MessageIDs
import TestSupport
import Testing

@Suite(.blocking)
struct VectorTests {
    /// The file has all its cases: a loop over none would prove nothing.
    @Test func thereAreTwentyFourVectors() { #expect(Vector.all.count == 24) }

    /// Every value of every worked case is made exactly.
    @Test(arguments: Vector.all) func makesEveryValue(_ vector: Vector) throws {
        let id = try vector.id
        var body: [UInt8] = []
        id.appendBody(to: &body)
        #expect(body == vector.body)
        #expect(id.bodyBytes == body.count)
        #expect(id.messageKey.text == vector.messageKey)
        #expect(id.launch.text == vector.launchId)
        #expect(id.text() == vector.full)
        #expect(id.text(.emailSafe) == vector.email)
        #expect(id.uniqueText == vector.unique)
        #expect(id.profile.text == vector.message.profile)
    }

    /// Every text and the body of every worked case read back exactly.
    @Test(arguments: Vector.all) func readsEveryValue(_ vector: Vector) throws {
        let id = try vector.id
        #expect(try SendMessageID(body: vector.body.span.bytes) == id)
        #expect(try SendMessageID(text: vector.full) == id)
        #expect(try SendMessageID(text: vector.email) == id)
        #expect(try SendMessageID(text: vector.email.uppercased()) == id)
        #expect(try LaunchID(text: vector.launchId) == id.launch)
        #expect(MessageKey(text: vector.messageKey) == id.messageKey)
        let unique = try UniqueID(text: vector.unique)
        #expect(unique.account == id.account)
        #expect(unique.key == id.messageKey)
    }
}
