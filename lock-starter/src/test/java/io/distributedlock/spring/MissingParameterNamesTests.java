package io.distributedlock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Works on a class that was really compiled without {@code -parameters}. */
class MissingParameterNamesTests {

    private static Method method;

    @BeforeAll
    static void compileWithoutParameterNames(@TempDir Path folder) throws IOException, ReflectiveOperationException {
        Path source = folder.resolve("Nameless.java");
        Files.writeString(source, "public class Nameless { public void pay(String userId, long amount) {} }");
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-g:none", "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(result).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            method = loader.loadClass("Nameless").getMethod("pay", String.class, long.class);
        }
    }

    @Test
    void aNamedArgumentIsRefusedBecauseItWouldBeNull() {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> parse("'order:' + #userId"))
                .withMessageContaining("uses #userId, but Nameless was compiled without -parameters")
                .withMessageContaining("<maven.compiler.parameters>true</maven.compiler.parameters>")
                .withMessageContaining("or name the argument by its position: #p0");
    }

    @Test
    void anArgumentByPositionWorks() {
        KeyExpression key = parse("'order:' + #p0");
        assertThat(key.evaluate(new KeyExpression.Call(method, null, new Object[] {"42", 1L})))
                .isEqualTo("order:42");
    }

    private static KeyExpression parse(String expression) {
        return KeyExpression.parse(expression, new LockedMethod(method), new DefaultListableBeanFactory());
    }
}
