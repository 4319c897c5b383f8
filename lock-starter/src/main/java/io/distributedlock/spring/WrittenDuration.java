package io.distributedlock.spring;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** A duration as annotations write it. The commonest ones are read without Spring's parser, which is a dozen classes more at the start. */
final class WrittenDuration {

    private static final Pattern COMMON = Pattern.compile("(\\d{1,9})(ms|s|m)");

    private WrittenDuration() {}

    /** @throws RuntimeException if it is none: illegal, out of range or not to be represented */
    static Duration parse(String text) {
        Matcher common = COMMON.matcher(text);
        if (!common.matches()) {
            return DurationFormatterUtils.detectAndParse(text);
        }
        long amount = Long.parseLong(common.group(1));
        String unit = common.group(2);
        if (unit.equals("ms")) {
            return Duration.ofMillis(amount);
        }
        return unit.equals("s") ? Duration.ofSeconds(amount) : Duration.ofMinutes(amount);
    }
}
