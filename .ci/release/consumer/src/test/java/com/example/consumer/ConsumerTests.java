package com.example.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.consumer.Orders.OrderRequest;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

class ConsumerTests {

    @Test
    void oneOrderOfAUserRunsAtATime() throws Exception {
        int port = freePort();
        RedisServer redis = RedisServer.builder().port(port).build();
        redis.start();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ConfigurableApplicationContext application =
                SpringApplication.run(ConsumerApplication.class, "--spring.data.redis.port=" + port)) {
            Orders orders = application.getBean(Orders.class);
            List<Callable<Integer>> calls = IntStream.range(0, 16)
                    .<Callable<Integer>>mapToObj(each -> () -> orders.place(new OrderRequest(42)))
                    .toList();
            for (Future<Integer> call : threads.invokeAll(calls)) {
                assertThat(call.get()).isOne();
            }
            long token = application
                    .getBean(LockTemplate.class)
                    .execute(LockRequest.of("nightly-report"), lock -> lock.fencingToken());
            assertThat(token).isPositive();
            System.out.println("Consumed on Spring Boot " + SpringBootVersion.getVersion() + ", token " + token);
        } finally {
            threads.shutdownNow();
            redis.stop();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }
}
