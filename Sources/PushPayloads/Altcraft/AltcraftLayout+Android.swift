extension AltcraftLayout {
    /// The data map of Android's shapes: the system fields in the given order, then the custom ones, all of them strings.
    func dataMap(_ order: [AltcraftField]) -> [PayloadMember] {
        self.members(order, hubLink: .text)
            + self.message.custom.map { PayloadMember($0.name, $0.value.asString) }
    }

    /// `{priority, ttl}` of FCM and RuStore, `{urgency, ttl}` of HMS; the ttl is a duration (`"3600s"`) on the wire and a
    /// number of seconds in the documented form.
    ///
    /// - Parameter documented: The priority of the documented form; nil is the message's own.
    func delivery(_ priorityName: String, documented: PushPriority? = nil) -> [PayloadMember] {
        let priority = self.options.isDocumented ? documented ?? self.message.priority : self.message.priority
        var members = [PayloadMember(priorityName, .string(priority.rawValue))]
        members.add(
            "ttl", self.message.ttl.map { self.options.isDocumented ? .integer($0) : .string("\($0)s") })
        return members
    }
}
