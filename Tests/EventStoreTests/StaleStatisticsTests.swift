import Postgres
import TestSupport
import Testing

@testable import EventStore

/// Looks for many keys on a day whose statistics were made when it had begun, as autovacuum makes them.
@Suite(.blocking)
struct StaleStatisticsTests {
    /// 40 000 messages of which the planner expects next to none. Each function takes some 0.1 s; with its join the other way
    /// round, which compares each key with each message, 8 s and more.
    @Test(arguments: [
        "ackhub.known_messages(keys)", "ackhub.messages_by_keys(accounts, keys)",
        "ackhub.stored_reports(accounts, keys, kinds, keys, since)",
    ]) func looksIntoTheIndexForEachKey(function: String) throws {
        let store = try Store()
        let connection = store.connection
        try connection.execute(
            """
            select ackhub.ensure_event_day('2026-03-01'), ackhub.ensure_message_day('2026-03-01');
            alter table ackhub.message_20260301 set (autovacuum_enabled = false);
            alter table ackhub.event_log_20260301 set (autovacuum_enabled = false);
            create function fill(first int, last int) returns void language sql as $$
                insert into ackhub.message
                select 1, ackhub.message_key_floor('2026-03-01Z'::timestamptz + n * interval '1 ms'), 1, 1, 1, gen_random_uuid(),
                    now(), now(), null, null, 0, 0, 2, 1, 0, 0, false
                from generate_series(first, last) as n;
                insert into ackhub.event_log
                select 1, message_key, '2026-03-01Z'::timestamptz, null, 2, 3, 0, 0, false, null, null, message_key
                from ackhub.message
                where message_key >= ackhub.message_key_floor('2026-03-01Z'::timestamptz + first * interval '1 ms')
            $$;
            select fill(1, 300);
            analyze ackhub.message_20260301, ackhub.event_log_20260301;
            select fill(301, 40000);
            set statement_timeout = '5s'
            """)
        let found = try connection.query(
            """
            with asked as (
                select array_agg(1::bigint) as accounts, array_agg(2::smallint) as kinds,
                    array_agg('2026-03-01Z'::timestamptz) as since,
                    array_agg(ackhub.message_key_floor('2026-03-01Z'::timestamptz + n * interval '1 ms') order by n) as keys
                from generate_series(20001, 40000) as n
            )
            select count(*) from asked cross join lateral \(function)
            """)
        #expect(try found.int64(0, 0) == 20_000)
    }
}
