/// Options that several commands share.
extension CommandOption where Self == Option<Bool> {
    package static var json: Self { .flag("json", help: "print JSON") }
}
