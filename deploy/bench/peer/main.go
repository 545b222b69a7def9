// A collector for comparison: what a Go developer would write for this job with the usual parts, net/http and pgx.
//
//	LISTEN=127.0.0.1:9010 DATABASE_URL=… MODE=copy peer    answers first, stores in batches
//	LISTEN=127.0.0.1:9010 DATABASE_URL=… MODE=insert peer  stores first, one row a transaction
//	peer mint 100000                                       prints so many paths to ask for
//
// It opens an encrypted token, answers 204 and keeps the event in one PostgreSQL table without an index. It does not
// tell a first event from a repeat and counts nothing. In copy mode it also loses what it holds in memory when it ends.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
)

func main() {
	box, err := newTokenBox()
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) == 3 && os.Args[1] == "mint" {
		err = printPaths(box, os.Args[2])
	} else {
		err = serve(box)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func printPaths(box *tokenBox, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return fmt.Errorf("mint %s: not a number of paths", count)
	}
	out := bufio.NewWriter(os.Stdout)
	for i := 0; i < n; i++ {
		path, err := box.path(exampleEvent(i))
		if err != nil {
			return err
		}
		fmt.Fprintln(out, path)
	}
	return out.Flush()
}

func serve(box *tokenBox) error {
	store, err := openStore(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	var keep func(context.Context, *event) error
	switch mode := os.Getenv("MODE"); mode {
	case "insert":
		keep = store.insert
	case "copy":
		batches := newBatcher(store)
		go batches.run()
		keep = batches.add
	default:
		return fmt.Errorf("MODE=%s: neither copy nor insert", mode)
	}
	return http.ListenAndServe(os.Getenv("LISTEN"), collector(box, keep))
}
