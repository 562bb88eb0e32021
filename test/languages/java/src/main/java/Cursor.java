import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

// --- cursor
/** How far a reader has read a stream. `filter` is null if the reader has none. */
record Cursor(String stream, String epoch, long seq, String filter) {
    static final long MAX_SEQ = (1L << 53) - 1;
    static final Pattern SEQ = Pattern.compile("-1|0|[1-9][0-9]{0,15}");
    static final Pattern PART = Pattern.compile("(?:[!-$&-9;-}]|[~%][0-9A-Fa-f]{2})+");

    /** The SSE id of an event after which the cursor stands. */
    String id() {
        return escape(stream) + ":" + escape(epoch) + ":" + seq + (filter == null ? "" : ":" + escape(filter));
    }

    /** Reads a Last-Event-ID. Null for anything else. */
    static Cursor parse(String id) {
        String[] parts = id.split(":", -1);
        if (parts.length < 3 || parts.length > 4 || !SEQ.matcher(parts[2]).matches()) return null;
        long seq = Long.parseLong(parts[2]);
        try {
            String filter = parts.length == 4 ? unescape(parts[3]) : null;
            return seq > MAX_SEQ ? null : new Cursor(unescape(parts[0]), unescape(parts[1]), seq, filter);
        } catch (CharacterCodingException error) {
            return null;
        }
    }

    static String escape(String part) {
        StringBuilder text = new StringBuilder();
        for (byte each : part.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = each > 0 && (each < 128 && Character.isLetterOrDigit(each) || "-._/".indexOf(each) >= 0);
            text.append(isPlain ? String.valueOf((char) each) : String.format("~%02X", each));
        }
        return text.toString();
    }

    static String unescape(String part) throws CharacterCodingException {
        if (!PART.matcher(part).matches()) throw new CharacterCodingException();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < part.length(); i++) {
            char each = part.charAt(i);
            boolean isEscape = each == '%' || each == '~';
            bytes.write(isEscape ? Integer.parseInt(part.substring(i + 1, i + 3), 16) : each);
            if (isEscape) i += 2;
        }
        // Unlike the constructor of String, it refuses what is not UTF-8.
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
    }
}
// --- end
