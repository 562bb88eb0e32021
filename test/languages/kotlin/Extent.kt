// --- resume
/** What a log has: the events from `earliest` to `next - 1`. */
data class Extent(val stream: String, val epoch: String, val earliest: Long, val next: Long, val closed: Boolean) {
    /**
     * What a reader gets: the events after `after`, up to `through`; a reset if there is a `reason`; or status 204, as the log
     * is closed and the reader has all of it.
     */
    data class Answer(val status: Int, val after: Long, val through: Long, val reason: String?)

    /** Answers a reader that comes with a Last-Event-ID, null or empty without one. `filter` is the id of its filter. */
    fun resume(lastEventId: String?, filter: String? = null): Answer {
        val isNew = lastEventId.isNullOrEmpty()
        val cursor = if (isNew) null else Cursor.parse(lastEventId!!)
        val through = next - 1
        val after = cursor?.seq ?: -1
        val reason = when {
            isNew -> null
            cursor == null -> "malformed"
            cursor.stream != stream -> "unknown-stream"
            cursor.epoch != epoch -> "epoch-changed"
            cursor.filter != filter -> "filter-changed"
            cursor.seq >= next -> "ahead"
            else -> null
        } ?: "evicted".takeIf { after + 1 < earliest }
        val isDone = reason == null && closed && !isNew && after == through
        return Answer(if (isDone) 204 else 200, after, through, reason)
    }
}
// --- end
