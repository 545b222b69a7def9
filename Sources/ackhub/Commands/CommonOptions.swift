/// Options that several commands share.
extension CommandOption where Self == Option<Bool> {
    static var json: Self { .flag("json", help: "print JSON") }
}
