package io.distributedlock.spring.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.shop.WithoutParameterNames;
import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class MissingParameterNamesTests {

    private static Method method;

    @BeforeAll
    static void compileWithoutParameterNames(@TempDir Path folder) throws NoSuchMethodException {
        method = WithoutParameterNames.compile(folder).getMethod("pay", String.class, long.class);
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
        return KeyExpression.parse(
                expression, new LockedMethod(method), new DefaultListableBeanFactory(), Strictness.REFUSE);
    }
}
