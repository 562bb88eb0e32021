// Reads every document through the generated types and writes it again; validates it as well.
//
//	client <folder of the version> <documents.json> > results.jsonl
//
// Without arguments, it is the adapter of the conformance kit.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// --- dispatch
func read[T any](text []byte) (any, error) {
	event := new(T)
	return event, json.Unmarshal(text, event)
}

func readEvent(text []byte) (any, error) {
	var envelope struct{ Kind string }
	if err := json.Unmarshal(text, &envelope); err != nil {
		return nil, err
	}
	if reader, known := readers[envelope.Kind]; known {
		return reader(text)
	}
	return json.RawMessage(text), nil // a kind of a later version: keep it as it is
}

// --- end

// --- forward
// Event is an event as it came: setting a field leaves all others as they were, also unknown ones.
type Event map[string]json.RawMessage

func (event Event) Text(field string) (text string) {
	_ = json.Unmarshal(event[field], &text) // empty if it is no text
	return text
}

func (event Event) Set(field string, value any) (err error) {
	event[field], err = json.Marshal(value)
	return err
}

// --- end

func forward(text []byte) ([]byte, error) {
	var event Event
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, err
	}
	taskID := event.Text("taskId")
	if err := event.Set("taskId", taskID); err != nil {
		return nil, err
	}
	return json.Marshal(event)
}

type document struct{ Path, Status, Text string }

type result struct {
	Path  string `json:"path"`
	Valid bool   `json:"valid"`
	Open  bool   `json:"open"`
	Out   string `json:"out,omitempty"`
	Error string `json:"error,omitempty"`
	// Without a detour through a generated type.
	Forwarded string `json:"forwarded,omitempty"`
}

func compile(path string) *jsonschema.Schema {
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		panic(err)
	}
	return schema
}

func main() {
	if len(os.Args) == 1 {
		conform(os.Stdin, os.Stdout)
		return
	}
	folder := os.Args[1]
	normative := compile(filepath.Join(folder, "events.schema.json"))
	reader := compile(filepath.Join(folder, "events.open.schema.json"))
	data, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	var documents []document
	if err := json.Unmarshal(data, &documents); err != nil {
		panic(err)
	}
	results := json.NewEncoder(os.Stdout)
	for _, each := range documents {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(each.Text))
		if err != nil {
			panic(err)
		}
		line := result{Path: each.Path, Valid: normative.Validate(value) == nil, Open: reader.Validate(value) == nil}
		if each.Status != "invalid" {
			event, err := readEvent([]byte(each.Text))
			if err == nil {
				var out []byte
				out, err = json.Marshal(event)
				line.Out = string(out)
			}
			if err == nil {
				var forwarded []byte
				forwarded, err = forward([]byte(each.Text))
				line.Forwarded = string(forwarded)
			}
			if err != nil {
				line.Error = err.Error()
			}
		}
		if err := results.Encode(line); err != nil {
			panic(err)
		}
	}
}
