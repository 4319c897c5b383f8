package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@ExtendWith(OutputCaptureExtension.class)
class TransactionOutsideOfLockTests {

    private static final String WRONG_ORDER = "has both @DistributedLock and a transaction";
    private static final String FAIL = "distributed-lock.transaction.nested-lock=fail";

    static class Journal {
        @Transactional
        @DistributedLock(key = "#line")
        public void write(String line) {}
    }

    static class Archive {
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @DistributedLock(key = "#line")
        public void lookUp(String line) {}

        @DistributedLock(key = "#line")
        public void lock(String line) {}

        @Transactional
        public void write(String line) {}
    }

    @EnableTransactionManagement(order = 17)
    @Import(Journal.class)
    static class TransactionsOutside {}

    @EnableTransactionManagement(order = 17)
    @Import(Archive.class)
    static class NothingWrong {}

    @Import(Journal.class)
    static class UsualOrder {}

    @Test
    void aWarningAtTheStartNamesTheMethodAndBothOrders(CapturedOutput output) {
        try (ConfigurableApplicationContext shop = start(TransactionsOutside.class)) {
            assertThat(shop.isActive()).isTrue();
        }
        assertThat(output)
                .contains(Journal.class.getName() + ".write " + WRONG_ORDER
                        + ", and the transaction (order 17) is outside of the lock (order 2147483646)")
                .contains("Set distributed-lock.aspect.order to a number smaller than 17");
    }

    @Test
    void theStartFailsWhereLocksInsideOfTransactionsAreRefused() {
        assertThatException()
                .isThrownBy(() -> start(TransactionsOutside.class, FAIL))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .withMessageContaining(WRONG_ORDER);
    }

    @Test
    void theAdviceHelps(CapturedOutput output) {
        try (ConfigurableApplicationContext shop =
                start(TransactionsOutside.class, FAIL, "distributed-lock.aspect.order=16")) {
            shop.getBean(Journal.class).write("1");
        }
        assertThat(output).doesNotContain(WRONG_ORDER);
    }

    @Test
    void nothingIsSaidAboutTheUsualOrderOrMethodsWithOnlyOneOfBoth() {
        try (ConfigurableApplicationContext usual = start(UsualOrder.class, FAIL);
                ConfigurableApplicationContext other = start(NothingWrong.class, FAIL)) {
            usual.getBean(Journal.class).write("1");
            other.getBean(Archive.class).lookUp("1");
        }
    }

    private static ConfigurableApplicationContext start(Class<?> more, String... properties) {
        String[] all = new String[properties.length + 2];
        all[0] = "distributed-lock.store=memory";
        all[1] = "spring.datasource.generate-unique-name=true";
        System.arraycopy(properties, 0, all, 2, properties.length);
        return ShopApplication.start(new Class<?>[] {more}, all);
    }
}
