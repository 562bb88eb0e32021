import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import java.io.PrintStream

/** The adapter of the conformance kit: one case in, one result out. */
fun conform(out: PrintStream) {
    for (line in generateSequence(::readLine)) {
        val case = json.readTree(line)
        val answer = json.createObjectNode().put("name", case.path("name").asText())
        val input = case.path("input")
        val output = when (case.path("suite").asText()) {
            "cursor" -> cursor(input.path("id").asText())
            "resume" -> resume(input)
            "sse" -> sse(input)
            else -> null
        }
        if (output == null) answer.put("unsupported", true) else answer.set<JsonNode>("output", output)
        out.println(json.writeValueAsString(answer))
    }
}

private fun cursor(id: String): ObjectNode {
    val cursor = Cursor.parse(id)
    val output = json.createObjectNode()
    output.set<JsonNode>("cursor", json.valueToTree(cursor))
    return if (cursor == null) output else output.put("id", cursor.id())
}

private fun resume(input: JsonNode): ObjectNode {
    val log = json.treeToValue(input.path("log"), Extent::class.java)
    val answer = log.resume(input.path("lastEventId").textValue(), input.path("filter").textValue())
    val output = json.createObjectNode().put("status", answer.status)
    if (answer.reason != null) {
        output.putObject("reset").put("reason", answer.reason).put("through", answer.through).put("earliest", log.earliest)
    } else if (answer.status == 200) {
        output.put("after", answer.after).put("through", answer.through).put("closed", log.closed)
    }
    return output
}

private fun sse(input: JsonNode): ObjectNode {
    val messages = Messages()
    val text = input.path("text").textValue()
    val found = messages.feed(text?.encodeToByteArray() ?: input.path("base64").binaryValue())
    val output = json.createObjectNode().put("lastEventId", messages.lastEventId)
    output.set<JsonNode>("messages", json.valueToTree(found))
    messages.retry?.let { output.put("retry", it) }
    return output
}
