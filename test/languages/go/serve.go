package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// --- serve
// Log is what a server reads from: a list in memory, a database.
type Log interface {
	// After gives the events after a sequence number, and a channel that is closed when there are more.
	After(seq int64) (events []Event, more <-chan struct{}, closed bool)
	// Resume is the cursor of a reader; ok is false if the events after it cannot be given.
	Resume(lastEventID string) (cursor Cursor, ok bool)
}

func serve(log Log) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		cursor, ok := log.Resume(request.Header.Get("Last-Event-ID"))
		header := response.Header()
		header.Set("Content-Type", "text/event-stream")
		header.Set("Cache-Control", "no-cache")
		header.Set("X-Accel-Buffering", "no")
		if !ok {
			reset := map[string]any{"type": "reset", "reason": "malformed", "stream": cursor.Stream,
				"epoch": cursor.Epoch, "through": cursor.Seq, "earliest": 0}
			write(response, "stream-reset", cursor, reset)
		}
		for {
			events, more, closed := log.After(cursor.Seq)
			for _, event := range events {
				cursor.Seq++
				write(response, event.Text("kind"), cursor, event)
			}
			if closed {
				write(response, "stream-closed", cursor, map[string]string{"type": "closed"})
				return
			}
			http.NewResponseController(response).Flush()
			select {
			case <-more:
			case <-request.Context().Done():
				return
			}
		}
	}
}

func write(response http.ResponseWriter, name string, cursor Cursor, data any) {
	text, err := json.Marshal(data) // escapes U+2028 and U+2029, which some clients take for line ends
	if err == nil {
		fmt.Fprintf(response, "event: %s\nid: %s\ndata: %s\n\n", name, cursor.ID(), text)
	}
}

// --- end
