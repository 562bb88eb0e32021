/**
 * Reads every document through the generated classes and writes it again; validates it as well.
 *
 *     ClientKt <folder of the version> <documents.json> > results.jsonl
 *
 * Without arguments, it is the adapter of the conformance kit.
 */
import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.module.kotlin.readValue
import com.networknt.schema.JsonSchema
import com.networknt.schema.JsonSchemaFactory
import com.networknt.schema.SpecVersion
import dev.turnstream.events.mapper
import java.io.File
import java.io.PrintStream

// --- dispatch
/** The mapper that quicktype generates, for later versions too. Null is kept in maps: in a merge patch, it removes a member. */
val json = mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
    .setDefaultPropertyInclusion(
        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS),
    )

/** `types` is the field of that name in meta.json. */
fun read(text: String, types: JsonNode): Any {
    val value = json.readTree(text)
    val type = types[value.path("kind").asText()] ?: return value // a kind of a later version: keep it as it is
    return json.treeToValue(value, Class.forName("dev.turnstream.events.${type.asText()}"))
}
// --- end

fun compile(file: File): JsonSchema =
    JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(json.readTree(file))

fun main(arguments: Array<String>) {
    val out = PrintStream(System.out, true, Charsets.UTF_8)
    if (arguments.isEmpty()) return conform(out)
    val folder = File(arguments[0])
    val types = json.readTree(folder.resolve("meta.json"))["types"]
    val normative = compile(folder.resolve("events.schema.json"))
    val reader = compile(folder.resolve("events.open.schema.json"))
    for (document in json.readTree(File(arguments[1]))) {
        val text = document["text"].asText()
        val value = json.readTree(text)
        val result = json.createObjectNode().put("path", document["path"].asText())
        result.put("valid", normative.validate(value).isEmpty())
        result.put("open", reader.validate(value).isEmpty())
        if (document["status"].asText() != "invalid") {
            try {
                result.put("out", json.writeValueAsString(read(text, types)))
            } catch (error: Exception) {
                result.put("error", error.toString())
            }
        }
        out.println(json.writeValueAsString(result))
    }
}
