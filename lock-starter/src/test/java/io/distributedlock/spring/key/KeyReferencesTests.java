package io.distributedlock.spring.key;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.method.LockedMethod;
import io.distributedlock.spring.method.Strictness;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class KeyReferencesTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @ParameterizedTest
    @ValueSource(strings = {"#userId +", "#", "'open", "#userId]"})
    void textThatIsNoExpressionIsRefused(String expression) {
        refused(expression)
                .withMessageContaining("the key \"" + expression + "\" is not a SpEL expression")
                .withMessageContaining("An argument is written \"#userId\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#{userId}", "${user}", "'${user}'", "${app} + #userId", "'a#{#userId}'"})
    void placeholdersAndTemplatesAreRefused(String expression) {
        refused(expression)
                .withMessageContaining("the key \"" + expression + "\"")
                .withMessageContaining("Write the expression without #{ } around it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nightly", "nightly-report", "reports/nightly", "nightly report"})
    void theWholeTextIsOfferedInQuotesWhereTheyAreForgotten(String expression) {
        refused(expression).withMessageContaining("a constant text").withMessageContaining("\"'" + expression + "'\"");
    }

    @Test
    void aBareNameIsTakenForATextUnlessAParameterHasIt() {
        refused("nightly")
                .withMessageContaining("neither an argument nor a text. Write a constant text as \"'nightly'\"");
        refused("userId").withMessageContaining("Write an argument as \"#userId\", a constant text as \"'userId'\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.usrId",
                "#p0.usrId",
                "'o:' + #order.usrId",
                "#order.address.zipp",
                "#order?.usrId",
                "#id.foo"
            })
    void aPropertyThatTheDeclaredTypeDoesNotHaveIsRefused(String expression) throws NoSuchMethodException {
        LockedMethod ship = ship();
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> KeyExpression.parse(expression, ship, beans, Strictness.REFUSE))
                .withMessageContaining("the key \"" + expression + "\" uses the property ")
                .withMessageContaining("which has no such property. Correct the name");
        assertThatCode(() -> KeyExpression.parse(expression, ship, beans, Strictness.WARN))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#order.userId",
                "#order.address.zip",
                "#order.address.street",
                "#order.extra.any.thing",
                "#order.tags.any",
                "#order.lines[0].any",
                "#order.party.any",
                "#order.userId.length()",
                "#page.content.any",
                "#other.any",
                "#either.any",
                "#order.status.name"
            })
    void aPropertyThatExistsOrMayExistAtTheCallIsAccepted(String expression) throws NoSuchMethodException {
        LockedMethod ship = ship();
        assertThatCode(() -> KeyExpression.parse(expression, ship, beans, Strictness.REFUSE))
                .doesNotThrowAnyException();
    }

    interface Party {}

    enum Status {
        OPEN
    }

    static class Address {
        public String street = "x";

        public String getZip() {
            return "z";
        }
    }

    record Order(
            String userId,
            Address address,
            Object extra,
            Map<String, String> tags,
            List<String> lines,
            Party party,
            Status status) {}

    static class Page<T> {
        public T getContent() {
            throw new UnsupportedOperationException();
        }
    }

    private static LockedMethod ship() throws NoSuchMethodException {
        return new LockedMethod(KeyReferencesTests.class.getDeclaredMethod(
                "ship", Order.class, long.class, Page.class, Object.class, Party.class));
    }

    <T> void ship(Order order, long id, Page<T> page, T other, Party either) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#userld",
                "'order:' + #userld",
                "#userId.concat(#userld)",
                "#amount > 1 ? #userId : #userld",
                "{#userId, #userld}",
                "#userId.toCharArray().![#userld]",
                "#root.args[#userld]",
                "#userld?.name"
            })
    void aVariableThatIsNoParameterIsRefusedWhereverItStands(String expression) {
        refused(expression)
                .withMessageContaining("uses #userld, which is no parameter of the method")
                .withMessageContaining("Use one of its parameters (#userId, #amount), or #root");
    }

    @Test
    void aPositionBehindTheLastParameterIsRefused() {
        refused("#p2").withMessageContaining("uses #p2, which is no parameter");
        accepted("#p1");
    }

    @Test
    void aFunctionIsRefused() {
        refused("#hash(#userId)").withMessageContaining("uses #hash(#userId), which is no parameter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"userId", "userId + ':' + #amount", "#userId.concat(suffix)", "#root.userId", "next()"})
    void aBareNameIsRefusedBecauseItIsNeitherArgumentNorText(String expression) {
        refused(expression)
                .withMessageContaining("uses the bare name ")
                .withMessageContaining("a constant text as \"'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#root", "#this", "'call:' + #root", "#userId.concat(#this)"})
    void theWholeCallIsRefusedBecauseItsTextDiffersInEveryProcess(String expression) {
        refused(expression).withMessageContaining("which is the whole call and has no text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#userId + #amount",
                "'pay:' + #userId + #amount",
                "#userId + '' + #amount",
                "#amount + 1 + #amount",
                "#amount > 1 ? #userId + #amount : 'none'",
                "{'all', #userId + #amount}"
            })
    void valuesWithoutATextBetweenThemAreRefused(String expression) {
        refused(expression)
                .withMessageContaining("with nothing between them, so that different values make the same key")
                .withMessageContaining(" + ':' + #amount");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#userId + ':' + #amount", "'pay:' + (#amount + 1)", "#amount + 1", "{#userId, #amount}"})
    void valuesWithATextBetweenThemAndNumbersAreAccepted(String expression) {
        accepted(expression);
    }

    @Test
    void anUnknownBeanIsRefused() {
        refused("@regions.of(#userId)").withMessageContaining("uses the bean @regions, but there is no bean");
        refused("@'eu.regions'.of(#userId)").withMessageContaining("uses the bean @eu.regions");
        beans.registerSingleton("regions", new Object());
        accepted("@regions.of(#userId)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#root.methodName",
                "#this.methodName",
                "#userId.?[name == 'x']",
                "#userId[name]",
                "{name: #userId}",
                "#root.target.name()",
                "new String(#userId)",
                "#userId.toCharArray().![#this]"
            })
    void namesThatBelongToSomethingElseAreLeftAlone(String expression) {
        accepted(expression);
    }

    private void accepted(String expression) {
        assertThatCode(() -> parse(expression)).doesNotThrowAnyException();
    }

    private ThrowableAssertAlternative<LockConfigurationException> refused(String expression) {
        return assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> parse(expression))
                .withMessageStartingWith("@DistributedLock on " + getClass().getName() + ".pay(String, long): ");
    }

    private KeyExpression parse(String expression) throws NoSuchMethodException {
        LockedMethod method = new LockedMethod(getClass().getDeclaredMethod("pay", String.class, long.class));
        return KeyExpression.parse(expression, method, beans, Strictness.REFUSE);
    }

    void pay(String userId, long amount) {}
}
