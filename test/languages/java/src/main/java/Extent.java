import java.util.Objects;

// --- resume
/** What a log has: the events from `earliest` to `next - 1`. */
record Extent(String stream, String epoch, long earliest, long next, boolean closed) {
    /**
     * What a reader gets: the events after `after`, up to `through`; a reset if there is a `reason`; or status 204, as the log
     * is closed and the reader has all of it.
     */
    record Answer(int status, long after, long through, String reason) {}

    /** Answers a reader that comes with a Last-Event-ID, null or empty without one. `filter` is the id of its filter, or null. */
    Answer resume(String lastEventId, String filter) {
        boolean isNew = lastEventId == null || lastEventId.isEmpty();
        Cursor cursor = isNew ? null : Cursor.parse(lastEventId);
        long through = next - 1;
        long after = cursor == null ? -1 : cursor.seq();
        String reason = isNew ? null : reasonOf(cursor, filter);
        if (reason == null && after + 1 < earliest) reason = "evicted";
        boolean isDone = reason == null && closed && !isNew && after == through;
        return new Answer(isDone ? 204 : 200, after, through, reason);
    }

    private String reasonOf(Cursor cursor, String filter) {
        if (cursor == null) return "malformed";
        if (!cursor.stream().equals(stream)) return "unknown-stream";
        if (!cursor.epoch().equals(epoch)) return "epoch-changed";
        if (!Objects.equals(cursor.filter(), filter)) return "filter-changed";
        return cursor.seq() >= next ? "ahead" : null;
    }
}
// --- end
