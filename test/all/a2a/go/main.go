// Asks an agent for numbered streams with the client of the Go SDK for A2A 0.3.
//
//	client <url> <count>
//
// Prints a line for each stream: {"items": [...]} as JSON, with what was received, or {"error": "..."}.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
)

type line struct {
	Items []a2a.Event `json:"items"`
	Error string      `json:"error,omitempty"`
}

func main() {
	ctx := context.Background()
	endpoint := a2a.AgentInterface{URL: os.Args[1], Transport: a2a.TransportProtocolJSONRPC}
	client, err := a2aclient.NewFromEndpoints(ctx, []a2a.AgentInterface{endpoint})
	if err != nil {
		panic(err)
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	for number := range count {
		message := a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: strconv.Itoa(number)})
		var received line
		for event, err := range client.SendStreamingMessage(ctx, &a2a.MessageSendParams{Message: message}) {
			if err != nil {
				received.Error = err.Error()
				break
			}
			received.Items = append(received.Items, event)
		}
		text, err := json.Marshal(received)
		if err != nil {
			text, _ = json.Marshal(line{Error: err.Error()})
		}
		fmt.Println(string(text))
	}
}
