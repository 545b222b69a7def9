// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "ackhub",
    products: [
        .library(name: "HubLinks", targets: ["HubLinks", "MessageIDs"]),
        .executable(name: "ackhub", targets: ["ackhub"]),
        .executable(name: "ackhub-bench", targets: ["ackhub-bench"]),
    ],
    targets: [
        // System libraries.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),

        // Technical modules: they know nothing of pushes.
        .target(name: "HTTPFrontEnd", dependencies: ["CLinux", "COpenSSL"], swiftSettings: strict),
        .target(name: "EventSpool", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "Postgres", dependencies: ["CPostgres"], swiftSettings: strict),
        .target(name: "StrictJSON", swiftSettings: strict),
        .target(name: "CommandLineOptions", dependencies: ["StrictJSON"], swiftSettings: strict),

        // The domain.
        .target(name: "MessageIDs", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "HubLinks", dependencies: ["MessageIDs", "COpenSSL"], swiftSettings: strict),
        .target(
            name: "PushPayloads", dependencies: ["HubLinks", "MessageIDs", "StrictJSON"], swiftSettings: strict),
        .target(name: "EventStore", dependencies: ["Postgres", "MessageIDs"], swiftSettings: strict),

        // The service and its command line.
        .target(
            name: "HubServer",
            dependencies: [
                "MessageIDs", "HubLinks", "PushPayloads", "HTTPFrontEnd", "EventSpool", "Postgres", "EventStore",
                "StrictJSON", "CommandLineOptions", "CLinux", "COpenSSL",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ackhub",
            dependencies: [
                "HubServer", "EventStore", "HubLinks", "MessageIDs", "PushPayloads", "Postgres", "StrictJSON",
                "CommandLineOptions", "CLinux",
            ],
            swiftSettings: strict
        ),

        // The load generator: it counts in the tables themselves. Only the fill of a store has the code that fills them.
        .executableTarget(
            name: "ackhub-bench",
            dependencies: [
                "HTTPFrontEnd", "EventSpool", "EventStore", "HubLinks", "MessageIDs", "Postgres", "StrictJSON",
                "CommandLineOptions", "CLinux", "COpenSSL",
            ],
            swiftSettings: strict
        ),

        // Tests: each mirrors a module; TestSupport starts what they share (a private PostgreSQL, temporary folders).
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CPostgres"], path: "Tests/TestSupport",
            resources: [.copy("Vectors")], swiftSettings: strict),
        .testTarget(name: "MessageIDsTests", dependencies: ["MessageIDs", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HubLinksTests", dependencies: ["HubLinks", "MessageIDs", "COpenSSL", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPFrontEndTests", dependencies: ["HTTPFrontEnd", "COpenSSL", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "EventSpoolTests", dependencies: ["EventSpool", "CLinux", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PushPayloadsTests",
            dependencies: ["PushPayloads", "HubLinks", "MessageIDs", "StrictJSON", "TestSupport"],
            resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "EventStoreTests", dependencies: ["EventStore", "Postgres", "MessageIDs", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HubServerTests",
            dependencies: [
                "HubServer", "EventStore", "EventSpool", "HTTPFrontEnd", "HubLinks", "MessageIDs", "Postgres",
                "StrictJSON", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AckhubTests",
            dependencies: [
                "HubLinks", "MessageIDs", "EventStore", "Postgres", "StrictJSON", "CommandLineOptions", "TestSupport",
                "ackhub", "ackhub-bench",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AckhubBenchTests",
            dependencies: [
                "HTTPFrontEnd", "EventStore", "HubLinks", "MessageIDs", "Postgres", "CommandLineOptions", "TestSupport",
                "ackhub-bench",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
