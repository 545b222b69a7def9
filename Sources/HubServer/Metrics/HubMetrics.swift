import EventSpool
import EventStore
import HTTPFrontEnd
import HubLinks
import MessageIDs
import Postgres
import PushPayloads

/// Everything that /metrics shows, in one text. Every label's values are a closed set: statuses, reasons, kinds, routes.
struct HubMetrics {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func text() -> [UInt8] {
        var text = PrometheusText()
        text.begin("ackhub_build_info", .gauge, "Always 1; the label tells the version.")
        text.sample(1, [("version", HubVersion.text)])
        text.begin("ackhub_draining", .gauge, "1 while the hub drains.")
        text.sample(self.hub.state.isDraining ? 1 : 0)
        self.writeHTTP(to: &text)
        self.writeDevices(to: &text)
        self.writeSpool(to: &text)
        self.writeLoader(to: &text)
        self.writePool(to: &text)
        self.writeAPI(to: &text)
        ProcessMetrics().write(to: &text)
        return text.bytes
    }

    private func writeHTTP(to text: inout PrometheusText) {
        let servers = self.hub.present
        let listeners = [("public", servers?.open.metrics), ("admin", servers?.admin.metrics)].compactMap {
            name, metrics in
            metrics.map { (name, $0) }
        }
        func family(
            _ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: (HTTPServerMetrics) -> UInt64
        ) {
            text.begin(name, kind, help)
            for (listener, metrics) in listeners { text.sample(value(metrics), [("listener", listener)]) }
        }
        family("ackhub_http_connections_open", .gauge, "Open connections.") { UInt64($0.connectionsOpen) }
        family("ackhub_http_connections_accepted_total", .counter, "Connections accepted.") { $0.connectionsAccepted }
        family("ackhub_http_connections_refused_total", .counter, "Connections closed at the limit.") {
            $0.connectionsRefused
        }
        family("ackhub_http_requests_total", .counter, "Requests whose head was read whole.") { $0.requests }
        family("ackhub_http_received_bytes_total", .counter, "Bytes received.") { $0.bytesReceived }
        family("ackhub_http_sent_bytes_total", .counter, "Bytes sent.") { $0.bytesSent }
        family("ackhub_http_tls_handshake_failures_total", .counter, "TLS handshakes that failed.") {
            $0.tlsHandshakeFailures
        }
        text.begin("ackhub_http_responses_total", .counter, "Responses by status.")
        for (listener, metrics) in listeners {
            for (status, count) in metrics.responses.sorted(by: { $0.key < $1.key }) {
                text.sample(count, [("listener", listener), ("status", String(status))])
            }
        }
        text.begin("ackhub_http_rejections_total", .counter, "Requests refused by a limit or a rule, by reason.")
        for (listener, metrics) in listeners {
            for (reason, count) in metrics.rejections.sorted(by: { $0.key < $1.key }) {
                text.sample(count, [("listener", listener), ("reason", reason)])
            }
        }
        self.writePauses(listeners, to: &text)
    }

    private func writePauses(_ listeners: [(String, HTTPServerMetrics)], to text: inout PrometheusText) {
        text.begin("ackhub_http_pauses_total", .counter, "Times that a full buffer made somebody wait, by buffer.")
        for (listener, metrics) in listeners {
            for (buffer, count) in metrics.pauses.sorted(by: { $0.key < $1.key }) {
                text.sample(count, [("listener", listener), ("buffer", buffer)])
            }
        }
    }

    private func writeDevices(to text: inout PrometheusText) {
        let metrics = self.hub.devices.metrics
        self.writeHits(metrics, to: &text)
        text.begin("ackhub_damaged_links_total", .counter, "Links answered with 404, by what was wrong.")
        for damage in LinkDamage.allCases { text.sample(metrics.damaged[damage] ?? 0, [("kind", damage.rawValue)]) }
        text.begin("ackhub_expired_hits_total", .counter, "Hits answered with 410, by kind.")
        for kind in EventKind.allCases { text.sample(metrics.expired[kind] ?? 0, [("kind", kind.name)]) }
        text.begin("ackhub_refused_hits_total", .counter, "Hits answered with 503, by reason.")
        for reason in DeviceCounters.Refusal.allCases {
            text.sample(metrics.refused[reason] ?? 0, [("reason", reason.rawValue)])
        }
        text.counter("ackhub_head_ignored_total", "HEAD requests on links: answered, not counted.", metrics.headIgnored)
        text.counter("ackhub_image_answers_total", "Hits answered with a GIF.", metrics.imageAnswers)
        text.counter(
            "ackhub_sent_ahead_hits_total", "Hits whose send time lies over 5 minutes ahead of the hub's clock.",
            metrics.sentAhead)
        text.gauge("ackhub_hits_waiting", "Hits that wait for their group to be on disk.", metrics.waiting)
        text.begin("ackhub_hit_answer_seconds", .histogram, "From the turn in which a hit was read to its answer.")
        let bounds = (0..<DeviceCounters.latencyBounds.count).map { Double(DeviceCounters.latencyBounds[$0]) / 1e9 }
        text.histogram(metrics.latencyBuckets, bounds: bounds, sum: metrics.latencySeconds)
    }

    /// The hub's own links count on the loops, the other dialects beside the API.
    private func writeHits(_ devices: DeviceMetrics, to text: inout PrometheusText) {
        let dialects = self.hub.router.dialectMetrics
        text.begin("ackhub_hits_total", .counter, "Events that are on disk, by dialect, kind and class.")
        for dialect in EventDialect.allCases {
            for kind in EventKind.allCases {
                for eventClass in EventClass.allCases {
                    let count =
                        dialect == .link
                        ? devices.hits[DeviceMetrics.Hit(kind: kind, eventClass: eventClass)]
                        : dialects.hits[
                            DialectMetrics.Hit(dialect: dialect, kind: kind, eventClass: eventClass)]
                    text.sample(
                        count ?? 0, [("dialect", dialect.name), ("kind", kind.name), ("class", eventClass.name)])
                }
            }
        }
        text.begin(
            "ackhub_refused_reports_total", .counter,
            "Requests of a dialect, or lines of ingest, that were refused, by reason.")
        for dialect in EventDialect.allCases where dialect != .link {
            for reason in DialectRefusal.Reason.allCases {
                let refusal = DialectMetrics.Refusal(dialect: dialect, reason: reason)
                text.sample(
                    dialects.refused[refusal] ?? 0, [("dialect", dialect.name), ("reason", reason.rawValue)])
            }
        }
        text.begin(
            "ackhub_ignored_events_total", .counter,
            "Reported events of unknown messages or kinds, ignored by contract.")
        for dialect in EventDialect.allCases where dialect != .link && dialect != .ingest {
            text.sample(dialects.ignored[dialect] ?? 0, [("dialect", dialect.name)])
        }
        text.counter("ackhub_jwt_key_lookups_total", "Accounts whose JWT keys were looked up.", dialects.keyLookups)
        text.counter(
            "ackhub_jwt_key_lookups_refused_total", "Look-ups of JWT keys refused because too many ran.",
            dialects.keyLookupsRefused)
        text.counter(
            "ackhub_jwt_keys_stale_total", "Uses of cached JWT keys because PostgreSQL was away.",
            dialects.keysUsedStale)
    }

    private func writeSpool(to text: inout PrometheusText) {
        let metrics = self.hub.spool.metrics
        text.gauge("ackhub_spool_held_bytes", "Durable bytes that are not released yet.", metrics.bytesHeld)
        text.gauge("ackhub_spool_max_bytes", "ACKHUB_SPOOL_MAX_BYTES.", metrics.bytesMax)
        text.gauge("ackhub_spool_segments", "Segment files.", UInt64(metrics.segments))
        text.gauge(
            "ackhub_spool_not_loaded_bytes", "Durable bytes that PostgreSQL does not hold yet.", self.hub.bytesNotLoaded
        )
        text.counter("ackhub_spool_records_total", "Records made durable since the start.", metrics.recordsAppended)
        text.counter("ackhub_spool_written_bytes_total", "Bytes made durable since the start.", metrics.bytesAppended)
        text.counter("ackhub_spool_syncs_total", "Group commits.", metrics.syncs)
        text.begin("ackhub_spool_sync_seconds_total", .counter, "Time spent in group commits.")
        text.sample(metrics.syncSecondsTotal)
        text.gauge("ackhub_spool_waiting_bytes", "Bytes that wait for the writer.", metrics.waitingBytes)
        text.gauge("ackhub_spool_waiting_max_bytes", "Beyond this groups are refused.", metrics.waitingBytesMax)
        text.counter("ackhub_spool_segment_waits_total", "Waits for the next segment.", metrics.segmentWaits)
        text.begin("ackhub_spool_refused_records_total", .counter, "Records refused, by reason.")
        for reason in [SpoolRefusal.full, .diskFull, .failed, .closed] {
            text.sample(metrics.recordsRefused[reason] ?? 0, [("reason", reason.rawValue)])
        }
        text.counter("ackhub_spool_corrupt_regions_total", "Regions skipped by readers.", metrics.corruptRegions)
        text.counter("ackhub_spool_torn_tails_total", "Torn tails repaired at start.", metrics.tornTailsRepaired)
        text.counter("ackhub_spool_read_gaps_total", "Reads of positions that were released.", metrics.readGaps)
    }

    private func writeLoader(to text: inout PrometheusText) {
        let metrics = self.hub.loader.loader.metrics
        text.gauge("ackhub_loader_connected", "1 while the loader has its connection.", metrics.isConnected ? 1.0 : 0.0)
        text.gauge(
            "ackhub_loader_lag_seconds", "Age of the newest loaded event while something is not loaded, else 0.",
            self.loaderLag(metrics))
        text.counter("ackhub_loader_batches_total", "Transactions committed.", metrics.batches)
        text.counter("ackhub_loader_events_total", "Events loaded.", metrics.events)
        text.counter(
            "ackhub_loader_repeated_reports_total", "Events dropped because their report was stored before.",
            metrics.repeatedReports)
        text.counter("ackhub_loader_sent_records_total", "Sent counts loaded.", metrics.sentRecords)
        text.counter("ackhub_loader_messages_stored_total", "Minted messages loaded.", metrics.messagesStored)
        text.counter("ackhub_loader_retries_total", "Batches tried again.", metrics.retries)
        text.counter("ackhub_loader_quarantined_records_total", "Records set aside as bad.", metrics.quarantined)
        text.counter(
            "ackhub_loader_position_moves_total",
            "Times that the database's position was not where the loader left it.",
            metrics.positionMoves)
        text.counter(
            "ackhub_loader_unmatched_parked_total", "Events parked because nobody knew their message.",
            metrics.unmatchedParked)
        text.counter(
            "ackhub_loader_unmatched_matched_total", "Parked events whose message came.",
            metrics.unmatchedMatched)
        text.begin(
            "ackhub_loader_unmatched_dropped_total", .counter, "Events of unknown messages dropped, by reason.")
        text.sample(metrics.unmatchedExpired, [("reason", "expired")])
        text.sample(metrics.unmatchedRefused, [("reason", "limit")])
        text.gauge("ackhub_loader_last_batch_seconds", "How long the last batch took.", metrics.lastBatchSeconds)
    }

    private func loaderLag(_ metrics: LoaderMetrics) -> Double {
        guard self.hub.bytesNotLoaded > 0 else { return 0 }
        // Nothing loaded yet: what waits came at the start of the process at the latest.
        let since = metrics.newestReceivedAt > 0 ? metrics.newestReceivedAt : self.hub.createdAt
        let now = self.hub.services.now()
        return now > since ? Double(now - since) / 1e9 : 0
    }

    private func writePool(to text: inout PrometheusText) {
        let metrics = self.hub.services.pool.metrics
        text.gauge("ackhub_database_pool_connections", "Open connections of the pool.", UInt64(metrics.connectionsOpen))
        text.gauge("ackhub_database_pool_queued", "Calls that wait for a connection.", UInt64(metrics.queued))
        text.counter("ackhub_database_pool_calls_total", "Calls run.", metrics.runs)
        text.counter("ackhub_database_pool_failures_total", "Calls that failed.", metrics.failures)
        text.counter("ackhub_database_pool_refused_total", "Calls refused because the queue was full.", metrics.refused)
    }

    private func writeAPI(to text: inout PrometheusText) {
        let metrics = self.hub.router.metrics
        text.begin("ackhub_api_responses_total", .counter, "Responses of the API by route and status.")
        let sorted = metrics.responses.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        for (key, count) in sorted { text.sample(count, [("route", key.route), ("status", String(key.status))]) }
        text.counter("ackhub_messages_minted_total", "Messages minted over the API.", metrics.messagesMinted)
        text.begin("ackhub_payloads_rendered_total", .counter, "Payloads answered, by provider.")
        for provider in PayloadTemplate.providers {
            text.sample(metrics.payloadsRendered[provider] ?? 0, [("provider", provider.name)])
        }
        text.begin(
            "ackhub_payloads_refused_total", .counter,
            "Recipients, lines and whole requests that got no payload, by problem code.")
        for (code, count) in metrics.payloadsRefused.sorted(by: { $0.key < $1.key }) {
            text.sample(count, [("code", code)])
        }
        text.counter("ackhub_api_refused_lines_total", "NDJSON lines answered with an error.", metrics.linesRefused)
        text.counter(
            "ackhub_api_clients_gone_total", "Requests whose client left before the answer.", metrics.clientsGone)
        text.counter("ackhub_api_token_cache_hits_total", "Tokens known from the cache.", metrics.tokenCacheHits)
        text.counter("ackhub_api_token_lookups_total", "Tokens looked up in PostgreSQL.", metrics.tokenLookups)
        text.counter(
            "ackhub_api_stale_tokens_total", "Tokens used from the cache because PostgreSQL was away.",
            metrics.tokensUsedStale)
    }
}
