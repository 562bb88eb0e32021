import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer

// --- cursor
/** How far a reader has read a stream. */
data class Cursor(val stream: String, val epoch: String, val seq: Long, val filter: String? = null) {
    /** The SSE id of an event after which the cursor stands. */
    fun id() = listOfNotNull(escape(stream), escape(epoch), "$seq", filter?.let(::escape)).joinToString(":")

    companion object {
        private const val MAX_SEQ = (1L shl 53) - 1
        private val SEQ = Regex("-1|0|[1-9][0-9]{0,15}")
        private val PART = Regex("(?:[!-\$&-9;-}]|[~%][0-9A-Fa-f]{2})+")

        /** Reads a Last-Event-ID. Null for anything else. */
        fun parse(id: String): Cursor? {
            val parts = id.split(":")
            if (parts.size !in 3..4 || !SEQ.matches(parts[2]) || parts[2].toLong() > MAX_SEQ) return null
            val filter = parts.getOrNull(3)?.let { unescape(it) ?: return null }
            return Cursor(unescape(parts[0]) ?: return null, unescape(parts[1]) ?: return null, parts[2].toLong(), filter)
        }

        private fun escape(part: String) = part.encodeToByteArray().joinToString("") { byte ->
            val char = byte.toInt().toChar()
            if (byte > 0 && (char.isLetterOrDigit() || char in "-._/")) "$char" else "~%02X".format(byte)
        }

        private fun unescape(part: String): String? {
            if (!PART.matches(part)) return null
            val bytes = ByteArrayOutputStream()
            var at = 0
            while (at < part.length) {
                val isEscape = part[at] == '%' || part[at] == '~'
                bytes.write(if (isEscape) part.substring(at + 1, at + 3).toInt(16) else part[at].code)
                at += if (isEscape) 3 else 1
            }
            // Unlike decodeToString, it refuses what is not UTF-8.
            return runCatching { Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString() }.getOrNull()
        }
    }
}
// --- end
