package com.example.outside;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The page of messages lists every sentence that the library's jars can say, read from their sources, so that a reader
 * finds one by its words and an author sees it beside the others. {@code -Dmessages.write=true} writes the page anew.
 */
class MessagesPageTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Path PAGE = ROOT.resolve("docs/messages.md");

    private static final List<String> MODULES = List.of("lock-core", "lock-starter", "lock-starter-boot3", "lock-test");

    /** At least four words; anything shorter is a name, a unit or a part of a sentence. */
    private static final Pattern SENTENCE = Pattern.compile("(\\S+ ){3,}\\S*\\p{L}.*", Pattern.DOTALL);

    /** Statements, and texts of servers that are only looked for. */
    private static final Pattern NO_SENTENCE = Pattern.compile("(SELECT|UPDATE|ERR) .*", Pattern.DOTALL);

    private static final Pattern SCRIPT_ERROR = Pattern.compile("error_reply\\((.*?)\\)\\n", Pattern.DOTALL);

    private static final String HEAD = """
            # What the library says

            Every sentence in exceptions, log lines, failure analyses, health details and descriptions of meters, by the
            package and class that says it; `…` stands for a value, and some sentences are put together from several. A message names the lock, what happened, figures with their units, and what to do. For
            what to do by symptom see [troubleshooting](troubleshooting.md); for the properties see
            [configuration](configuration.md).
            """;

    @Test
    void thePageListsEveryMessageOfTheSources() throws IOException {
        String expected = page();
        if (Boolean.getBoolean("messages.write")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(expected.lines().filter(line -> line.startsWith("- ")).count())
                .isGreaterThan(100);
        assertThat(Files.readString(PAGE))
                .as("docs/messages.md; write it anew by -Dtest=MessagesPageTests -Dmessages.write=true")
                .isEqualTo(expected);
    }

    private static String page() throws IOException {
        Map<String, Set<String>> byPlace = new TreeMap<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            var sources = files.getJavaFileObjectsFromPaths(sources(".java"));
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, null, null, sources);
            for (CompilationUnitTree unit : task.parse()) {
                new Sentences(byPlace).scan(new TreePath(unit), null);
            }
        }
        for (Path script : sources(".lua")) {
            Matcher error = SCRIPT_ERROR.matcher(Files.readString(script));
            while (error.find()) {
                String text = error.group(1)
                        .replaceAll("'\\s*\\.\\.\\s*'", "")
                        .replaceAll("'\\s*\\.\\.[^']*(\\.\\.\\s*'|$)", "…")
                        .replace("'", "")
                        .replaceAll("\\s+", " ");
                byPlace.computeIfAbsent("Redis scripts", any -> new TreeSet<>())
                        .add("`" + script.getFileName() + "`, error reply: " + text);
            }
        }
        StringBuilder page = new StringBuilder(HEAD);
        byPlace.forEach((place, messages) -> {
            page.append("\n## ").append(place).append("\n\n");
            messages.forEach(message -> page.append("- ").append(message).append('\n'));
        });
        return page.toString();
    }

    private static List<Path> sources(String ending) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> found = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
                found.filter(file -> file.toString().endsWith(ending)).sorted().forEach(all::add);
            }
        }
        return all;
    }

    /** Collects the sentences of one source file. */
    private static final class Sentences extends TreePathScanner<Void, Void> {
        private final Map<String, Set<String>> byPlace;

        Sentences(Map<String, Set<String>> byPlace) {
            this.byPlace = byPlace;
        }

        @Override
        public Void visitAnnotation(com.sun.source.tree.AnnotationTree annotation, Void none) {
            return null;
        }

        @Override
        public Void visitBinary(BinaryTree sum, Void none) {
            if (sum.getKind() == Tree.Kind.PLUS && holdsText(sum)) {
                add(text(sum));
                return null;
            }
            return super.visitBinary(sum, none);
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void none) {
            if (literal.getValue() instanceof String text) {
                add(text);
            }
            return null;
        }

        private static boolean holdsText(ExpressionTree expression) {
            if (expression instanceof BinaryTree sum) {
                return holdsText(sum.getLeftOperand()) || holdsText(sum.getRightOperand());
            }
            return expression instanceof LiteralTree literal && literal.getValue() instanceof String;
        }

        private static String text(ExpressionTree expression) {
            if (expression instanceof ParenthesizedTree inner) {
                return text(inner.getExpression());
            } else if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
                return text(sum.getLeftOperand()) + text(sum.getRightOperand());
            } else if (expression instanceof ConditionalExpressionTree either
                    && holdsText(either.getTrueExpression())) {
                return text(either.getTrueExpression()) + "/" + text(either.getFalseExpression());
            }
            return expression instanceof LiteralTree literal ? String.valueOf(literal.getValue()) : "…";
        }

        private void add(String text) {
            String plain = text.replaceAll("%(\\d+\\$)?[-,.\\d]*[sdfn]", "…")
                    .replaceAll("\\{}", "…")
                    .replaceAll("…(…|/…)+", "…")
                    .replaceAll("\\s+", " ")
                    .strip();
            if (SENTENCE.matcher(plain).matches() && !NO_SENTENCE.matcher(plain).matches()) {
                String place =
                        getCurrentPath().getCompilationUnit().getPackageName().toString();
                byPlace.computeIfAbsent(place, any -> new TreeSet<>()).add(type() + kind() + ": " + escaped(plain));
            }
        }

        private static String escaped(String text) {
            return text.replace("<", "\\<").replace("*", "\\*").replace("[", "\\[");
        }

        private String type() {
            TreePath path = getCurrentPath();
            String name = "";
            for (; path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof ClassTree type
                        && !type.getSimpleName().isEmpty()) {
                    name = type.getSimpleName().toString();
                }
            }
            return "`" + name + "`";
        }

        /** What becomes of the sentence, as far as the method that makes it shows. */
        private String kind() {
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                Tree leaf = path.getLeaf();
                if (leaf instanceof MethodTree || leaf instanceof ClassTree) {
                    break;
                } else if (leaf instanceof NewClassTree made
                        && made.getIdentifier().toString().matches(".*(Exception|Error|FailureAnalysis)")) {
                    return ", " + made.getIdentifier();
                } else if (leaf instanceof MethodInvocationTree call
                        && call.getMethodSelect().toString().matches("(?i)(log(ger)?\\.\\w+|Warnings\\.write)")) {
                    String level =
                            (call.getMethodSelect() + " " + call.getArguments().get(0)).toUpperCase(Locale.ROOT);
                    return ", log line at " + level.replaceAll("(?s).*?(ERROR|WARN|INFO|DEBUG).*", "$1");
                }
            }
            return "";
        }
    }
}
