/// What a fill found.
struct FillOutcome: Sendable {
    let plan: FillPlan
    let hubs: Int
    /// The processes whose CPU time was read; this one is the last.
    let processes: [String]
    var steps: [FillStep] = []
    /// All steps as one.
    var whole: FillStep?
    var differences: [String] = []

    var isRight: Bool { self.differences.isEmpty }
}
