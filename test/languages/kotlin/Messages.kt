import java.io.ByteArrayOutputStream

// --- messages
/** One message of Server-Sent Events. `id` is the last event id at it. */
data class Message(val event: String, val data: String, val id: String)

/**
 * The Server-Sent Events of one connection.
 *
 * @param lastEventId The id that was sent, empty for none. Afterwards, that for the next connection: messages without data
 * move it too.
 */
class Messages(var lastEventId: String = "") {
    /** Milliseconds to wait before the next connection. Null if the server sent none. */
    var retry: Long? = null
        private set
    private val line = ByteArrayOutputStream()
    private val data = mutableListOf<String>()
    private var id = lastEventId
    private var event = ""
    private var isStarted = false
    private var followsCr = false

    /** The messages that a piece of the body completes. */
    fun feed(piece: ByteArray): List<Message> = piece.toList().mapNotNull { byte ->
        val char = byte.toInt().toChar()
        val isSecond = followsCr && char == '\n'
        followsCr = char == '\r'
        if (char != '\r' && char != '\n') line.write(byte.toInt())
        if ((char == '\r' || char == '\n') && !isSecond) endLine() else null
    }

    private fun endLine(): Message? {
        val text = line.toString(Charsets.UTF_8).let { if (isStarted) it else it.removePrefix("\ufeff") }
        line.reset()
        isStarted = true
        if (text.isEmpty()) {
            lastEventId = id
            val message = Message(event.ifEmpty { "message" }, data.joinToString("\n"), id).takeIf { data.isNotEmpty() }
            event = ""
            data.clear()
            return message
        }
        val value = text.substringAfter(':', "").removePrefix(" ")
        when (text.substringBefore(':')) {
            "event" -> event = value
            "data" -> data += value
            "id" -> if ('\u0000' !in value) id = value
            "retry" -> if (value.all { it in '0'..'9' }) retry = value.toLongOrNull() ?: retry
        }
        return null
    }
}
// --- end
