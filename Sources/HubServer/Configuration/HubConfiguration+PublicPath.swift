extension HubConfiguration {
    /// The path of the public URL without a slash at its end: `/hub`, or empty. A front proxy may or may not strip it.
    package var publicPath: String {
        let afterScheme = self.publicURL.firstRange(of: "://")?.upperBound ?? self.publicURL.startIndex
        let authority = self.publicURL[afterScheme...]
        return authority.firstIndex(of: "/").map { String(authority[$0...]) } ?? ""
    }
}
