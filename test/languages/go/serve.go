package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// --- serve
// Log is what a server reads from: a list in memory, a database.
type Log interface {
	Extent() Extent
	// After gives the events after a sequence number, and a channel that is closed when there are more.
	After(seq int64) (events []Event, more <-chan struct{}, closed bool)
}

func serve(log Log) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		extent := log.Extent()
		answer := extent.Resume(request.Header.Get("Last-Event-ID"), "")
		if answer.Done {
			response.WriteHeader(http.StatusNoContent)
			return
		}
		header := response.Header()
		header.Set("Content-Type", "text/event-stream")
		header.Set("Cache-Control", "no-cache")
		header.Set("X-Accel-Buffering", "no")
		cursor := Cursor{Stream: extent.Stream, Epoch: extent.Epoch, Seq: answer.After}
		if answer.Reason != "" {
			reset := object{"type": "reset", "reason": answer.Reason, "stream": extent.Stream, "epoch": extent.Epoch,
				"through": answer.Through, "earliest": extent.Earliest}
			cursor.Seq = answer.Through
			if extent.Earliest == 0 { // nothing is gone: all events follow, after a snapshot of nothing
				cursor.Seq, reset["through"], reset["events"] = -1, -1, []Event{}
			}
			write(response, "stream-reset", cursor, reset)
		}
		for {
			events, more, closed := log.After(cursor.Seq)
			for _, event := range events {
				cursor.Seq++
				write(response, event.Text("kind"), cursor, event)
			}
			if closed {
				write(response, "stream-closed", cursor, object{"type": "closed"})
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
