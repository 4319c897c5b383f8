package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockIdTest {

    private static String encoded(String name, String key) {
        return LockId.of(name, key).encoded();
    }

    @Test
    void anOrdinaryNameAndKeyStayReadable() {
        assertThat(encoded("orders", "42")).isEqualTo("orders:42");
        assertThat(encoded("Shop.pay", "eu/7-a_b,c")).isEqualTo("Shop.pay:eu/7-a_b,c");
        assertThat(encoded("größe", "日本-😀")).isEqualTo("größe:日本-😀");
    }

    @Test
    void aCompositeKeyStaysReadable() {
        assertThat(encoded("pay", "1:2")).isEqualTo("pay:1:2");
    }

    @Test
    void aNameAloneIsItsOwnId() {
        assertThat(encoded("nightly-report", "")).isEqualTo("nightly-report");
        assertThat(encoded("a:b", "")).isEqualTo("a%3Ab");
    }

    @ParameterizedTest
    @CsvSource({
        "pay:1:2, pay:1:2",
        "nightly-report, nightly-report",
        "pay:a b, pay:a%20b",
        "pay:a%20b, pay:a%20b",
        "pay:50%, pay:50%25",
        "pay:50%25, pay:50%25",
        "pay:{1}, pay:%7B1%7D",
        "pay:x~y, pay:x%7Ey"
    })
    void anIdIsUnderstoodAsReportsShowItAndAsPeopleWriteIt(String written, String id) {
        assertThat(LockId.parse(written).encoded()).isEqualTo(id);
        assertThat(LockId.parse(id).encoded()).isEqualTo(id);
    }

    @Test
    void theShortenedIdOfALongKeyIsUnderstood() {
        String id = encoded("orders", "k".repeat(10_000));
        assertThat(LockId.parse(id).encoded()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ":42", "orders:"})
    void whatHasNoNameOrEndsWithItsFirstColonIsNoId(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockId.parse(text))
                .withMessageContaining("for example orders:42");
    }

    @Test
    void nameAndKeyAreKeptAsTheyWere() {
        LockId id = LockId.of("a b", "{c}");
        assertThat(id.name()).isEqualTo("a b");
        assertThat(id.key()).isEqualTo("{c}");
    }

    @ParameterizedTest
    @CsvSource({"a:b,c,a,b:c", "a,b%3Ac,a,b:c", "a%,b,a,%b", "a ,b,a%20,b", "a,b~,a,b%7E", "a,%u2028,a,%2028"})
    void noPairImitatesAnother(String name, String key, String otherName, String otherKey) {
        assertThat(encoded(name, key)).isNotEqualTo(encoded(otherName, otherKey));
    }

    @ParameterizedTest
    @ValueSource(strings = {"}{", "{42}", "{}", "a}b{c", "}"})
    void aKeyCanNotChooseAClusterSlot(String key) {
        assertThat(encoded("orders", key)).doesNotContain("{", "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\nb", "a\r\nDEL x", "\0", "a\tb", "\u001b[31m", "a\u0085b", "a\u2028b", "a\u2029b", "a b"})
    void aKeyCanNotBreakALine(String key) {
        assertThat(encoded("orders", key)).doesNotContainPattern("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]");
    }

    @Test
    void halvesOfSurrogatePairsStayApart() {
        List<String> odd = List.of("\uD800", "\uD801", "\uDC00", "\uDC00\uD800", "?", "\uFFFD", "\uD83D\uDE00");
        assertThat(odd.stream().map(key -> encoded("a", key)).distinct()).hasSameSizeAs(odd);
        assertThat(odd.stream()
                        .map(key -> encoded("a", key).getBytes(StandardCharsets.UTF_8))
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .distinct())
                .hasSameSizeAs(odd);
    }

    @Test
    void aLongIdIsCutToAReadableBeginningAndAHash() {
        String key = "k".repeat(10_000);
        String encoded = encoded("orders", key);
        assertThat(encoded).startsWith("orders:kkk").matches("[^~]{100}~[0-9a-f]{64}");
        assertThat(encoded).isEqualTo(encoded("orders", key)).isNotEqualTo(encoded("orders", key + "k"));
    }

    @Test
    void idsAreCutByBytesAndNotByCharacters() {
        assertThat(encoded("n", "k".repeat(510))).hasSize(512).doesNotContain("~");
        assertThat(encoded("n", "k".repeat(511))).contains("~");
        assertThat(encoded("n", "ü".repeat(255))).hasSize(257).doesNotContain("~");
        assertThat(encoded("n", "ü".repeat(256))).contains("~");
        assertThat(encoded("n", "😀".repeat(5_000)).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(LockId.MAX_BYTES);
    }

    @Test
    void aCutNeverHalvesACharacter() {
        for (String start : List.of("", "x")) {
            String encoded = encoded("n", start + "😀".repeat(5_000));
            assertThat(new String(encoded.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(encoded);
        }
    }

    @Test
    void noCallerCanPassForALongIdByTypingItsShortForm() {
        String key = "k".repeat(10_000);
        String cut = encoded("orders", key);
        assertThat(encoded("orders", cut.substring("orders:".length()))).isNotEqualTo(cut);
    }

    @Test
    void differentPairsHaveDifferentEncodings() {
        Random random = new Random(7);
        String alphabet = "ab:%~ {}u02\n\uD800\uDC00é";
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            String name = word(random, alphabet);
            String key = word(random, alphabet);
            String pair = name.length() + "/" + name + key;
            String other = pairs.put(encoded(name, key), pair);
            assertThat(other == null || other.equals(pair))
                    .as("%s and %s", other, pair)
                    .isTrue();
        }
    }

    private static String word(Random random, String alphabet) {
        StringBuilder word = new StringBuilder("n");
        for (int i = random.nextInt(5); i > 0; i--) {
            word.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return word.toString();
    }

    @Test
    void messagesShowAShortFormWithoutControlCharacters() {
        assertThat(LockId.of("orders", "a\nb").display()).isEqualTo("orders:a%0Ab");
        assertThat(LockId.of("orders", "k".repeat(10_000)).display())
                .hasSize(103)
                .endsWith("kkk...");
    }
}
