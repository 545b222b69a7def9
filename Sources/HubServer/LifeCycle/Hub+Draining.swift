import EventSpool
import EventStore
import Glibc
import HTTPFrontEnd
import HubLinks
import Postgres

extension Hub {
    /// How a drain ended.
    package struct DrainOutcome: Sendable {
        /// Bytes of the spool that the database does not hold yet: they stay on disk for the next start.
        package var bytesLeft: UInt64
        package var isDrained: Bool { self.bytesLeft == 0 }
    }

    /// /readyz turns 503, accepting ends, what is in flight is answered, the spool is closed and loaded for up to
    /// `drainSeconds` in all (design section 6). Blocks; the second call does nothing.
    @discardableResult
    package func drain() -> DrainOutcome {
        guard self.state.advance(to: .draining) else { return DrainOutcome(bytesLeft: self.bytesNotLoaded) }
        let deadline = Deadline(seconds: Double(self.configuration.drainSeconds))
        self.log.write(.info, "draining")
        let servers = self.present
        servers?.open.stopAccepting()
        servers?.open.stop(withinSeconds: deadline.secondsLeft)
        // Nobody appends any more: what is durable now is all there will be.
        self.spool.close()
        while self.bytesNotLoaded > 0 && !deadline.isOver { usleep(5_000) }
        // The present batch may end; a server that does not answer may not hold the exit up.
        _ = self.loader.stop(withinSeconds: max(2, deadline.secondsLeft))
        let outcome = DrainOutcome(bytesLeft: self.bytesNotLoaded)
        self.services.pool.close()
        servers?.admin.stop(withinSeconds: 1)
        self.forgetServers()
        self.state.advance(to: .stopped)
        if outcome.isDrained {
            self.log.write(.info, "stopped: all is loaded")
        } else {
            self.log.write(
                .warning, "stopped: the rest stays in the spool for the next start",
                [("bytes_not_loaded", String(outcome.bytesLeft))])
        }
        return outcome
    }

    /// Bytes that are durable and not in the database.
    var bytesNotLoaded: UInt64 {
        let durable = self.spool.durable.offset
        let loaded = max(self.loader.loader.loaded, self.spool.oldest.offset)
        return durable > loaded ? durable - loaded : 0
    }

    /// SIGHUP: reads the key ring and the TLS certificate again. A bad file leaves what was, and is logged.
    package func reload() {
        do throws(HubError) {
            let ring = try Self.readKeyRing(self.configuration.keysFile)
            self.services.replaceKeyRing(ring)
            self.devices.rules.replaceKeyRing(ring)
            self.log.write(.info, "the key ring was read again", [("keys", String(ring.entries.count))])
        } catch {
            self.log.write(.error, "the key ring was not replaced: the old one stays", [("error", "\(error)")])
        }
        guard self.configuration.tlsCertificateFile != nil, let servers = self.present else { return }
        do {
            try servers.open.reloadTLS()
            self.log.write(.info, "the certificate was read again")
        } catch {
            self.log.write(.error, "the certificate was not replaced: the old one stays", [("error", "\(error)")])
        }
    }
}
