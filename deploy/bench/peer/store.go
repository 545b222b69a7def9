package main

import (
	"context"
	"log"
	"time"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

type store struct{ pool *pgxpool.Pool }

var columns = []string{
	"account_id", "campaign_id", "launched_at", "resource_id", "channel", "provider", "profile_id", "subscription_id",
	"sent_at", "kind", "received_at", "address", "user_agent",
}

const schema = `
create table if not exists collected_event (
	account_id bigint, campaign_id bigint, launched_at bigint, resource_id bigint, channel smallint, provider smallint,
	profile_id bigint, subscription_id bigint, sent_at bigint, kind smallint, received_at timestamptz, address text,
	user_agent text
)`

const insertRow = `insert into collected_event values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

func openStore(ctx context.Context, url string) (*store, error) {
	pool, err := pgxpool.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	_, err = pool.Exec(ctx, schema)
	return &store{pool}, err
}

func (e *event) row() []interface{} {
	return []interface{}{
		e.account, e.campaign, e.launchedAt, e.resource, e.channel, e.provider, e.profile, e.subscription, e.sentAt,
		e.kind, e.receivedAt, e.address, e.userAgent,
	}
}

// insert returns when the event's transaction is committed.
func (s *store) insert(ctx context.Context, e *event) error {
	_, err := s.pool.Exec(ctx, insertRow, e.row()...)
	return err
}

func (s *store) copy(ctx context.Context, events []event) error {
	rows := pgx.CopyFromSlice(len(events), func(i int) ([]interface{}, error) { return events[i].row(), nil })
	_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"collected_event"}, columns, rows)
	return err
}

// batcher stores events behind their answers: many at once, at least every flushEvery.
type batcher struct {
	store *store
	queue chan event
}

const (
	queueMax   = 1 << 17
	batchMax   = 20_000
	flushEvery = 100 * time.Millisecond
)

func newBatcher(s *store) *batcher { return &batcher{s, make(chan event, queueMax)} }

// add waits only while the queue is full.
func (b *batcher) add(ctx context.Context, e *event) error {
	select {
	case b.queue <- *e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *batcher) run() {
	ticks := time.NewTicker(flushEvery)
	batch := make([]event, 0, batchMax)
	for {
		isDue := false
		select {
		case e := <-b.queue:
			batch = append(batch, e)
		case <-ticks.C:
			isDue = true
		}
		if len(batch) == batchMax || isDue && len(batch) > 0 {
			if err := b.store.copy(context.Background(), batch); err != nil {
				log.Fatal(err)
			}
			batch = batch[:0]
		}
	}
}
