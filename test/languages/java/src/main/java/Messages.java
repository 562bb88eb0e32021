import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

// --- messages
/** The Server-Sent Events of one connection. */
class Messages {
    /** One message. `id` is the last event id at it. */
    record Message(String event, String data, String id) {}

    /** For the next connection: messages without data move it too. */
    String lastEventId;
    /** Milliseconds to wait before the next connection. Null if the server sent none. */
    Long retry;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final List<String> data = new ArrayList<>();
    private String id;
    private String event = "";
    private boolean isStarted;
    private boolean followsCr;

    /** A connection that was opened with this id, or with none if it is empty. */
    Messages(String lastEventId) {
        this.lastEventId = id = lastEventId;
    }

    /** The messages that a piece of the body completes. */
    List<Message> feed(byte[] piece) {
        List<Message> found = new ArrayList<>();
        for (byte each : piece) {
            boolean isSecond = followsCr && each == '\n';
            followsCr = each == '\r';
            if (each != '\r' && each != '\n') line.write(each);
            else if (!isSecond) endLine(found);
        }
        return found;
    }

    private void endLine(List<Message> found) {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (!isStarted && text.startsWith("\ufeff")) text = text.substring(1);
        isStarted = true;
        if (text.isEmpty()) {
            lastEventId = id;
            if (!data.isEmpty()) found.add(new Message(event.isEmpty() ? "message" : event, String.join("\n", data), id));
            event = "";
            data.clear();
            return;
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + (text.startsWith(" ", colon + 1) ? 2 : 1));
        switch (name) {
            case "event" -> event = value;
            case "data" -> data.add(value);
            case "id" -> id = value.indexOf('\0') < 0 ? value : id;
            case "retry" -> retry = value.matches("[0-9]{1,18}") ? Long.valueOf(value) : retry;
            default -> {} // a comment, or a field of a later version
        }
    }
}
// --- end
