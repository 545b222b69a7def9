extension Double {
    /// With so many digits (0…6) after the point, rounded to the nearest: `12.50`.
    func fixedPoint(_ digits: Int) -> String {
        precondition((0...6).contains(digits), "0…6 digits")
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = (self.magnitude * Double(scale)).rounded()
        guard scaled < 0x1p62 else { return String(self) }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let fraction = String(rest)
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
