import StrictJSON

extension JSONWriter {
    /// The median of some runs with the least and the greatest; what they count, the key before it says.
    mutating func spread(_ spread: Spread) {
        self.beginObject()
        self.key("median")
        self.number(spread.median)
        self.key("min")
        self.number(spread.least)
        self.key("max")
        self.number(spread.greatest)
        self.endObject()
    }
}
