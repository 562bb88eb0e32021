package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// --- conform
func conform(in io.Reader, out io.Writer) {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var each struct {
			Suite, Name string
			Input       struct{ ID string }
		}
		_ = json.Unmarshal(line, &each)
		answer := map[string]any{"name": each.Name, "unsupported": true}
		if each.Suite == "cursor" {
			answer = map[string]any{"name": each.Name, "output": map[string]any{"cursor": nil}}
			if cursor, ok := ParseID(each.Input.ID); ok {
				answer["output"] = map[string]any{"cursor": cursor, "id": cursor.ID()}
			}
		}
		text, _ := json.Marshal(answer)
		fmt.Fprintf(out, "%s\n", text)
	}
}

// --- end
