/// What the hub puts beside a sender's data: Carillon's reserved tracking stamp, by which the SDK reports the notification,
/// and the hub's own links and id. No override of a sender can change any of it.
struct CarillonStamp: Sendable {
    private static let name = "carillon"

    static func isReserved(_ name: String) -> Bool {
        [Self.name, HubMember.linksName, HubMember.compatibleUIDName].contains(name)
    }

    let options: PayloadOptions

    /// In the order in which they end a payload: links, `ak_uid`, stamp. Without links in the documented form, which has no
    /// word of them.
    ///
    /// - Parameters:
    ///   - image: Which the SDK's extension downloads.
    ///   - threadID: nil where the payload itself has a field for it.
    func members(image: String?, threadID: String?) -> [PayloadMember] {
        var members: [PayloadMember] = []
        if !self.options.isDocumented { members.append(PayloadMember(HubMember.linksName, HubMember.links)) }
        members += HubMember.compatibleUID(self.options)
        var stamp = [PayloadMember("delivery_id", .hole(.messageKey))]
        stamp.add("image", image.map(PayloadNode.string))
        stamp.add("thread_id", threadID.map(PayloadNode.string))
        members.append(PayloadMember(Self.name, .object(stamp)))
        return members
    }
}
