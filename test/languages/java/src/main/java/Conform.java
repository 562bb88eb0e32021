import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
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
            if (!each.path("suite").asText().equals("cursor")) answer.put("unsupported", true);
            else {
                Cursor cursor = Cursor.parse(each.path("input").path("id").asText());
                ObjectNode output = answer.putObject("output");
                output.set("cursor", Client.JSON.valueToTree(cursor));
                if (cursor != null) output.put("id", cursor.id());
            }
            out.println(Client.JSON.writeValueAsString(answer));
        }
    }
}
