package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// --- conform
type object = map[string]any

// The input of a case, in the suites that are supported.
type input struct {
	ID, LastEventID, Filter, Text string
	Base64                        []byte
	Log                           Extent
}

var suites = map[string]func(input) any{
	"cursor": func(in input) any {
		if cursor, ok := ParseID(in.ID); ok {
			return object{"cursor": cursor, "id": cursor.ID()}
		}
		return object{"cursor": nil}
	},
	"resume": func(in input) any {
		switch answer := in.Log.Resume(in.LastEventID, in.Filter); {
		case answer.Done:
			return object{"status": 204}
		case answer.Reason != "":
			reset := object{"reason": answer.Reason, "through": answer.Through, "earliest": in.Log.Earliest}
			return object{"status": 200, "reset": reset}
		default:
			return object{"status": 200, "after": answer.After, "through": answer.Through, "closed": in.Log.Closed}
		}
	},
	"sse": func(in input) any {
		var messages Messages
		found := append([]Message{}, messages.Feed(append([]byte(in.Text), in.Base64...))...)
		output := object{"messages": found, "lastEventId": messages.LastEventID}
		if messages.Retry != nil {
			output["retry"] = *messages.Retry
		}
		return output
	},
}

func conform(in io.Reader, out io.Writer) {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var each struct {
			Suite, Name string
			Input       json.RawMessage
		}
		_ = json.Unmarshal(line, &each)
		answer := object{"name": each.Name, "unsupported": true}
		if suite, ok := suites[each.Suite]; ok {
			var in input
			_ = json.Unmarshal(each.Input, &in)
			answer = object{"name": each.Name, "output": suite(in)}
		}
		text, _ := json.Marshal(answer)
		fmt.Fprintf(out, "%s\n", text)
	}
}

// --- end
