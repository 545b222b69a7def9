import MessageIDs
import StrictJSON

extension SendMessageID {
    /// Every field of the message and its ids, ids as strings.
    func writeMembers(to json: inout JSONWriter) {
        json.member("uid", self.text(.full))
        json.member("unique_id", self.uniqueText)
        json.member("message_key", self.messageKey.text)
        json.member("account_id", id: self.account)
        json.member("campaign_id", id: self.campaign)
        json.member("launch_id", self.launch.text)
        json.member("launched_at", UnixTime.text(nanoseconds: self.launchedAt))
        json.member("resource_id", id: self.resource)
        json.member("channel", self.channel.name)
        json.member("provider", self.provider.name)
        json.member("profile_id", self.profile.text)
        json.member("subscription_id", id: self.subscription)
        json.member("sent_at", UnixTime.text(nanoseconds: self.sentAt))
        json.member("test", self.isTest)
        json.member("privacy", Int64(self.privacy.rawValue))
    }
}
