/// The system fields of Altcraft's message structures, by their names in the payload.
enum AltcraftField: String, Sendable {
    /// Says that the push is the platform's: clients ignore all others.
    case marker = "_ac_push"
    case uid = "_uid"
    /// `_uid` again, for the clients that read it there.
    case compatibleUID = "ak_uid"
    case launchID = "_launch_id"
    case provider = "_provider"
    case title = "_title"
    case body = "_body"
    case icon = "_icon"
    case image = "_image"
    case media = "_media"
    case color = "_color"
    case clickAction = "_click_action"
    case clickURL = "_click-url"
    case vibration = "_vibration"
    case soundless = "_soundless"
    case hubLink = "_hub_link"
    case buttons = "_buttons"
}
