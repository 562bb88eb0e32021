import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads every document through the generated classes and writes it again; validates it as well.
 *
 * <pre>Client [folder of the version] [documents.json] > results.jsonl</pre>
 *
 * Without arguments, it is the adapter of the conformance kit.
 */
public class Client {
    // --- dispatch
    static final ObjectMapper JSON = new ObjectMapper()
        .registerModule(new JavaTimeModule())
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .setDefaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS));

    /** `types` is the field of that name in meta.json. */
    static Object read(String text, JsonNode types) throws Exception {
        JsonNode value = JSON.readTree(text);
        JsonNode type = types.get(value.path("kind").asText());
        if (type == null) return value; // a kind of a later version: keep it as it is
        return JSON.treeToValue(value, Class.forName("dev.turnstream.events." + type.asText()));
    }
    // --- end

    static JsonSchema compile(Path file) throws Exception {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(JSON.readTree(file.toFile()));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            Conform.run();
            return;
        }
        Path folder = Path.of(arguments[0]);
        JsonNode types = JSON.readTree(folder.resolve("meta.json").toFile()).get("types");
        JsonSchema normative = compile(folder.resolve("events.schema.json"));
        JsonSchema reader = compile(folder.resolve("events.open.schema.json"));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (JsonNode document : JSON.readTree(new File(arguments[1]))) {
            String text = document.get("text").asText();
            JsonNode value = JSON.readTree(text);
            ObjectNode result = JSON.createObjectNode().put("path", document.get("path").asText());
            result.put("valid", normative.validate(value).isEmpty());
            result.put("open", reader.validate(value).isEmpty());
            if (!document.get("status").asText().equals("invalid")) {
                try {
                    result.put("out", JSON.writeValueAsString(read(text, types)));
                } catch (Exception error) {
                    result.put("error", String.valueOf(error.getMessage()));
                }
            }
            out.println(JSON.writeValueAsString(result));
        }
    }
}
