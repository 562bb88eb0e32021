package main

import (
	"strconv"
	"strings"
)

// --- messages
// Message is one message of Server-Sent Events. ID is the last event id at it.
type Message struct {
	Event string `json:"event"`
	Data  string `json:"data"`
	ID    string `json:"id"`
}

// Messages parses the body of one connection. Begin with the LastEventID that was sent.
type Messages struct {
	LastEventID string // for the next connection: messages without data move it too
	Retry       *int64 // milliseconds to wait before the next connection, if the server sent any
	id, event   string
	line, data  []byte
	isStarted   bool
	hasData     bool
	followsCR   bool
}

// Feed gives the messages that a piece of the body completes.
func (messages *Messages) Feed(piece []byte) (found []Message) {
	if messages.id == "" {
		messages.id = messages.LastEventID
	}
	for _, char := range piece {
		isSecond := messages.followsCR && char == '\n'
		messages.followsCR = char == '\r'
		if char != '\r' && char != '\n' {
			messages.line = append(messages.line, char)
		} else if !isSecond {
			if message := messages.endLine(); message != nil {
				found = append(found, *message)
			}
		}
	}
	return found
}

func (messages *Messages) endLine() (message *Message) {
	line := string(messages.line)
	messages.line = messages.line[:0]
	if !messages.isStarted {
		line, messages.isStarted = strings.TrimPrefix(line, "\ufeff"), true
	}
	if line == "" {
		messages.LastEventID = messages.id
		if messages.hasData {
			data := strings.TrimSuffix(string(messages.data), "\n")
			message = &Message{Event: messages.event, Data: data, ID: messages.id}
			if message.Event == "" {
				message.Event = "message"
			}
		}
		messages.event, messages.data, messages.hasData = "", nil, false
		return message
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "event":
		messages.event = value
	case "data":
		messages.data, messages.hasData = append(append(messages.data, value...), '\n'), true
	case "id":
		if !strings.Contains(value, "\x00") {
			messages.id = value
		}
	case "retry":
		if retry, err := strconv.ParseInt(value, 10, 64); err == nil && strings.Trim(value, "0123456789") == "" {
			messages.Retry = &retry
		}
	}
	return nil
}

// --- end
