package com.example.shop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that only some machines have: found where a property says, or else where packages put them. */
public enum Program {
    CHROMIUM("chromium", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"),
    CHROMEDRIVER(
            "chromium-driver",
            "/usr/bin/chromedriver",
            "/usr/lib/chromium-browser/chromedriver",
            "/usr/local/bin/chromedriver"),
    PROMETHEUS("prometheus", "/usr/bin/prometheus", "/usr/local/bin/prometheus");

    private final String debianPackage;
    private final List<String> usualPaths;

    Program(String debianPackage, String... usualPaths) {
        this.debianPackage = debianPackage;
        this.usualPaths = List.of(usualPaths);
    }

    /** @throws java.util.NoSuchElementException if it is not installed */
    public Path path() {
        return find().orElseThrow();
    }

    Optional<Path> find() {
        String named = System.getProperty(property(), "");
        return (named.isEmpty() ? usualPaths.stream() : Stream.of(named))
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    String advice() {
        return "there is no " + name().toLowerCase(Locale.ROOT) + ". Install it (Debian: apt-get install "
                + debianPackage + "), or say where it is: -D" + property() + "=...";
    }

    private String property() {
        return "program." + name().toLowerCase(Locale.ROOT);
    }
}
