package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// --- cursor
// Cursor is how far a reader has read a stream.
type Cursor struct {
	Stream string `json:"stream"`
	Epoch  string `json:"epoch"`
	Seq    int64  `json:"seq"`
	Filter string `json:"filter,omitempty"`
}

const maxSeq = 1<<53 - 1

var (
	seqForm  = regexp.MustCompile(`^(-1|0|[1-9][0-9]{0,15})$`)
	partForm = regexp.MustCompile(`^([!-$&-9;-}]|[~%][0-9A-Fa-f]{2})+$`)
)

// ID is the SSE id of an event after which the cursor stands.
func (cursor Cursor) ID() string {
	id := fmt.Sprintf("%s:%s:%d", escape(cursor.Stream), escape(cursor.Epoch), cursor.Seq)
	if cursor.Filter != "" {
		id += ":" + escape(cursor.Filter)
	}
	return id
}

// ParseID reads a Last-Event-ID.
func ParseID(id string) (cursor Cursor, ok bool) {
	parts := strings.Split(id, ":")
	if len(parts) < 3 || len(parts) > 4 || !seqForm.MatchString(parts[2]) {
		return cursor, false
	}
	seq, err := strconv.ParseInt(parts[2], 10, 64)
	cursor.Seq = seq
	ok = err == nil && seq <= maxSeq && unescape(parts[0], &cursor.Stream) && unescape(parts[1], &cursor.Epoch)
	return cursor, ok && (len(parts) == 3 || unescape(parts[3], &cursor.Filter))
}

func escape(part string) string {
	var text strings.Builder
	for _, char := range []byte(part) {
		isPlain := char >= '0' && char <= '9' || char >= 'A' && char <= 'Z' || char >= 'a' && char <= 'z'
		if isPlain || strings.IndexByte("-._/", char) >= 0 {
			text.WriteByte(char)
		} else {
			fmt.Fprintf(&text, "~%02X", char)
		}
	}
	return text.String()
}

func unescape(part string, text *string) bool {
	if !partForm.MatchString(part) {
		return false
	}
	decoded, err := url.PathUnescape(strings.ReplaceAll(part, "~", "%"))
	*text = decoded
	return err == nil && utf8.ValidString(decoded)
}

// --- end
