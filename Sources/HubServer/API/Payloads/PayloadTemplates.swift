import MessageIDs
import PushPayloads
import StrictJSON

/// Lays messages out, each run of equal ones once: nearly always a whole request is one. What is refused is read once too.
struct PayloadTemplates {
    private struct Run {
        var provider: Provider
        var message: JSONValue
        var options: PayloadOptions
        /// nil when the message is at fault.
        var writer: PayloadWriter?
        var faults: FieldFaults
    }

    private var run: Run?

    /// What writes this message's payloads; nil when something is missing or at fault, and then `faults` has what is wrong.
    ///
    /// - Parameter linkBytesMax: The most bytes that both links can have.
    mutating func writer(
        _ fields: PayloadFields, for provider: Provider?, linkBytesMax: Int, _ faults: inout FieldFaults
    ) -> PayloadWriter? {
        guard let provider, let message = fields.message else { return nil }
        let options = PayloadOptions(
            isDocumented: fields.isDocumented, hasAkUID: fields.hasAkUID, linkBytesMax: linkBytesMax)
        if let run = self.run, run.provider == provider, run.options == options, run.message.isIdentical(to: message) {
            faults.add(run.faults)
            return run.writer
        }
        var run = Run(provider: provider, message: message, options: options, writer: nil, faults: FieldFaults())
        let template = PayloadTemplate(
            provider, message: message, at: PayloadPlace.message, options: options, faults: &run.faults)
        run.writer = template.map(PayloadWriter.init)
        faults.add(run.faults)
        self.run = run
        return run.writer
    }
}
