package main

import (
	"context"
	"log"
	"net/http"
	"time"
)

// collector answers a link's request once keep has taken its event.
func collector(box *tokenBox, keep func(context.Context, *event) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, err := box.open(r.URL.Path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		e.receivedAt, e.address, e.userAgent = time.Now(), r.RemoteAddr, r.UserAgent()
		if err := keep(r.Context(), &e); err != nil {
			log.Print(err)
			http.Error(w, "not stored", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
