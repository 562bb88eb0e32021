package main

// --- resume
// Extent is what a log has: the events from Earliest to Next - 1.
type Extent struct {
	Stream   string `json:"stream"`
	Epoch    string `json:"epoch"`
	Earliest int64  `json:"earliest"`
	Next     int64  `json:"next"`
	Closed   bool   `json:"closed"`
}

// Answer is what a reader gets: the events after After up to Through, or a reset if there is a Reason.
type Answer struct {
	After, Through int64
	Reason         string
	Done           bool // the log is closed and the reader has all of it: status 204
}

// Resume answers a reader that comes with a Last-Event-ID, or with an empty one. filter is the id of its filter, if any.
func (log Extent) Resume(lastEventID, filter string) Answer {
	answer := Answer{After: -1, Through: log.Next - 1}
	cursor, ok := ParseID(lastEventID)
	switch {
	case lastEventID == "":
	case !ok:
		answer.Reason = "malformed"
	case cursor.Stream != log.Stream:
		answer.Reason = "unknown-stream"
	case cursor.Epoch != log.Epoch:
		answer.Reason = "epoch-changed"
	case cursor.Filter != filter:
		answer.Reason = "filter-changed"
	case cursor.Seq >= log.Next:
		answer.Reason = "ahead"
	default:
		answer.After = cursor.Seq
		answer.Done = log.Closed && cursor.Seq == answer.Through
	}
	if answer.Reason == "" && answer.After+1 < log.Earliest {
		answer.Reason = "evicted"
	}
	return answer
}

// --- end
