package io.distributedlock.testkit.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespFramesTests {
    private static final List<String> VALUES = List.of(
            "+OK\r\n",
            "-ERR no\r\n",
            ":-1\r\n",
            "$3\r\na\r\n\r\n",
            "$0\r\n\r\n",
            "$-1\r\n",
            "*-1\r\n",
            "*0\r\n",
            "*2\r\n*1\r\n$2\r\n\r\n\r\n:2\r\n",
            "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n_\r\n",
            "|1\r\n+ttl\r\n:3\r\n$1\r\nx\r\n",
            ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n",
            "~2\r\n#t\r\n,1.5\r\n",
            "=5\r\ntxt:a\r\n",
            "!3\r\nERR\r\n",
            "(123456789012345678901234567890\r\n",
            "_\r\n");

    @Test
    void eachKindOfValueIsCutOutWhateverThePiecesItComesIn() {
        byte[] stream = String.join("", VALUES).getBytes(StandardCharsets.ISO_8859_1);
        for (int piece = 1; piece <= stream.length; piece++) {
            assertThat(cut(stream, piece)).as("pieces of %d bytes", piece).isEqualTo(VALUES);
        }
    }

    @Test
    void anArrayIsCutIntoItsElements() {
        byte[] array = "*3\r\n$-1\r\n*2\r\n:1\r\n:2\r\n+OK\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(RespFrames.elements(array))
                .extracting(element -> new String(element, StandardCharsets.US_ASCII))
                .containsExactly("$-1\r\n", "*2\r\n:1\r\n:2\r\n", "+OK\r\n");
    }

    @Test
    void wordsSurviveTheFrameOfTheirCommand() {
        List<String> words = List.of("SET", "k\u00e9", "", "two\r\nlines");
        assertThat(RespFrames.words(RespFrames.command(words))).isEqualTo(words);
    }

    @Test
    void aStreamThatIsNotRespPassesAsItComes() {
        RespFrames frames = new RespFrames();
        assertThat(frames.add(new byte[] {22, 3, 1})).containsExactly(new byte[] {22, 3, 1});
        assertThat(frames.add(new byte[] {'*', 9})).containsExactly(new byte[] {'*', 9});
    }

    @Test
    void aStreamThatStopsBeingRespIsAnError() {
        RespFrames frames = new RespFrames();
        assertThat(frames.add("+OK\r\n".getBytes(StandardCharsets.US_ASCII))).hasSize(1);
        assertThatThrownBy(() -> frames.add("junk\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static List<String> cut(byte[] stream, int piece) {
        RespFrames frames = new RespFrames();
        List<String> found = new ArrayList<>();
        for (int from = 0; from < stream.length; from += piece) {
            byte[] bytes = Arrays.copyOfRange(stream, from, Math.min(stream.length, from + piece));
            frames.add(bytes).forEach(frame -> found.add(new String(frame, StandardCharsets.ISO_8859_1)));
        }
        return found;
    }
}
