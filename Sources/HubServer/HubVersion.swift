/// The version of this source.
package enum HubVersion {
    package static let text = "0.1.0"
}
