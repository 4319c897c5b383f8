package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The code blocks of the pages compile, as a class, as members of one or as statements. Where a page leaves something
 * out by three dots, nothing has to stand. The page about migration is left out: it shows the code of other libraries.
 */
class DocumentedCodeTests {

    /** Not where the tests of this module are looked for. */
    private static final Path OUTPUT = Path.of("target", "pages");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^) ]+)\\)");

    private static final String IMPORTS = """
            import static org.assertj.core.api.Assertions.*;
            import io.distributedlock.*;
            import io.distributedlock.spring.*;
            import io.distributedlock.test.*;
            import java.time.Duration;
            import java.util.*;
            import org.junit.jupiter.api.*;
            import org.springframework.beans.factory.annotation.Autowired;
            import org.springframework.boot.test.context.SpringBootTest;
            import org.springframework.context.annotation.*;
            import org.springframework.scheduling.annotation.Scheduled;
            import org.springframework.transaction.annotation.Transactional;
            """;

    /** What the pages take for granted of the reader's application. */
    private static final String APPLICATION = """
            class Application {
                LockTemplate locks, template;
                LockClient client;
                long userId, productId, orderId;
                Optional<Order> sell(long user, int shelf) { return null; }
                Order pay(long order, String... how) { return null; }
                boolean isNight() { return true; }
                static void write(long token) {}
            }
            class Order {}
            class OrderRequest { public long userId; }
            class SoldOutException extends RuntimeException {}
            class Checkout { void order(String user) {} }
            """;

    @TestFactory
    Stream<DynamicTest> theCodeOfThePagesCompiles() throws IOException {
        Files.createDirectories(OUTPUT);
        List<DynamicTest> all = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher block = BLOCK.matcher(text);
            while (block.find()) {
                String code = block.group(1);
                long line = text.substring(0, block.start(1)).lines().count() + 1;
                all.add(DynamicTest.dynamicTest(
                        page.getParent().getFileName() + "/" + page.getFileName() + ", line " + line,
                        () -> assertCompiles(code)));
            }
        }
        assertThat(all).hasSizeGreaterThan(5);
        return all.stream();
    }

    private static List<Path> pages() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(Stream.of(root.resolve("README.md"), root.resolve("README.zh-CN.md")), docs)
                    .filter(page -> page.toString().endsWith(".md") && !page.endsWith("migration.md"))
                    .sorted()
                    .toList();
        }
    }

    /** A link leads to a file of this project, and to a heading of it if it names one. */
    @TestFactory
    Stream<DynamicTest> theLinksOfThePagesLeadSomewhere() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        List<Path> all = new ArrayList<>(pages());
        for (String page : List.of("docs/migration.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
            all.add(root.resolve(page));
        }
        return all.stream()
                .map(page -> DynamicTest.dynamicTest(root.relativize(page).toString(), () -> assertLinks(page)));
    }

    private static void assertLinks(Path page) throws IOException {
        Matcher link = LINK.matcher(Files.readString(page).replaceAll("(?ms)^```.*?^```", ""));
        while (link.find()) {
            String[] target = link.group(1).split("#", 2);
            Path file =
                    target[0].isEmpty() ? page : page.resolveSibling(target[0]).normalize();
            assertThat(file).as(link.group()).exists();
            if (target.length > 1) {
                assertThat(headings(file)).as(link.group()).contains(target[1]);
            }
        }
    }

    /** As a link names them: in lower case, without punctuation, with hyphens for spaces. */
    private static List<String> headings(Path page) throws IOException {
        return Files.readString(page)
                .replaceAll("(?ms)^```.*?^```", "")
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    private static void assertCompiles(String block) {
        String nothing = "throw new UnsupportedOperationException();";
        String code = block.replaceAll("(?m)^(\\s*)\\.\\.\\.(\\s*(//.*)?)$", "$1" + nothing + "$2")
                .replaceAll("\\{ \\.\\.\\. \\}", "{ " + nothing + " }");
        List<String> problems = new ArrayList<>();
        for (String form : List.of(
                "%s",
                "class Page extends Application {\n%s\n}",
                "class Page extends Application { Object page() throws Exception {\n%s\nreturn null; } }",
                "class Page extends Application { Object page() throws Exception {\n%s\n} }")) {
            String problem = problemOf(IMPORTS + form.formatted(code) + "\n" + APPLICATION);
            if (problem.isEmpty()) {
                return;
            }
            problems.add(problem);
        }
        assertThat(problems).as(block).isEmpty();
    }

    private static String problemOf(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        SimpleJavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Page.java"), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> options =
                List.of("-proc:none", "-parameters", "-cp", classPath, "-implicit:none", "-d", OUTPUT.toString());
        boolean compiles = compiler.getTask(
                        new StringWriter(),
                        compiler.getStandardFileManager(found, null, null),
                        found,
                        options,
                        null,
                        List.of(file))
                .call();
        return compiles ? "" : String.valueOf(found.getDiagnostics());
    }
}
