import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The adapter of the conformance kit: one case in, one result out. */
class Conform {
    static void run() throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; ) {
            JsonNode each = Client.JSON.readTree(line);
            ObjectNode answer = Client.JSON.createObjectNode().put("name", each.path("name").asText());
            JsonNode output = output(each.path("suite").asText(), each.path("input"));
            if (output == null) answer.put("unsupported", true);
            else answer.set("output", output);
            out.println(Client.JSON.writeValueAsString(answer));
        }
    }

    private static JsonNode output(String suite, JsonNode input) throws IOException {
        return switch (suite) {
            case "cursor" -> cursor(input.path("id").asText());
            case "resume" -> resume(input);
            case "sse" -> sse(input);
            default -> null;
        };
    }

    private static JsonNode cursor(String id) {
        Cursor cursor = Cursor.parse(id);
        ObjectNode output = Client.JSON.createObjectNode();
        output.set("cursor", Client.JSON.valueToTree(cursor));
        return cursor == null ? output : output.put("id", cursor.id());
    }

    private static JsonNode resume(JsonNode input) throws IOException {
        Extent log = Client.JSON.treeToValue(input.path("log"), Extent.class);
        Extent.Answer answer = log.resume(input.path("lastEventId").textValue(), input.path("filter").textValue());
        ObjectNode output = Client.JSON.createObjectNode().put("status", answer.status());
        if (answer.reason() != null) {
            output.putObject("reset").put("reason", answer.reason())
                .put("through", answer.through()).put("earliest", log.earliest());
        } else if (answer.status() == 200) {
            output.put("after", answer.after()).put("through", answer.through()).put("closed", log.closed());
        }
        return output;
    }

    private static JsonNode sse(JsonNode input) throws IOException {
        Messages messages = new Messages("");
        JsonNode text = input.path("text");
        byte[] body = text.isTextual() ? text.asText().getBytes(StandardCharsets.UTF_8) : input.path("base64").binaryValue();
        ObjectNode output = Client.JSON.createObjectNode();
        output.set("messages", Client.JSON.valueToTree(messages.feed(body)));
        output.put("lastEventId", messages.lastEventId);
        return messages.retry == null ? output : output.put("retry", messages.retry);
    }
}
