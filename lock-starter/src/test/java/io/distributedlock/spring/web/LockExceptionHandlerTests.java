package io.distributedlock.spring.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockHolder;
import io.distributedlock.LockId;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.spring.IdentityDetail;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

class LockExceptionHandlerTests {

    private static final LockId LOCK = LockId.of("orders", "user-42");

    private final MockMvc mvc = MockMvcBuilders.standaloneSetup(new Orders())
            .setControllerAdvice(new LockExceptionHandler(IdentityDetail.APPLICATION))
            .build();
    private final WebTestClient reactive = WebTestClient.bindToController(new Orders())
            .controllerAdvice(new LockExceptionHandler(IdentityDetail.APPLICATION))
            .build();

    @RestController
    static class Orders {

        @GetMapping("/{failure}")
        String place(@PathVariable String failure) {
            throw switch (failure) {
                case "held" -> new LockNotAcquiredException(LOCK, Duration.ofSeconds(5), Duration.ofSeconds(20));
                case "held-by" -> heldBy();
                case "unavailable" ->
                    new LockUnavailableException(
                            LOCK, LockUnavailableException.Outcome.UNAVAILABLE, "Redis is away", null);
                case "interrupted" -> new LockInterruptedException(LOCK);
                default -> new LockLostException(LOCK, LossReason.DEADLINE);
            };
        }
    }

    private static LockNotAcquiredException heldBy() {
        ClientIdentity shop = new ClientIdentity("shop", "1.4", "web-1", 4711L, null);
        return new LockNotAcquiredException(LOCK, Duration.ofSeconds(5), Duration.ofSeconds(20))
                .withHolder(new LockHolder("Ab3dE5gH", shop, null, Duration.ofMillis(692), null));
    }

    @Test
    void aRefusalSaysWhichApplicationHoldsTheLockButNotWhere() throws Exception {
        mvc.perform(get("/held-by"))
                .andExpect(jsonPath("$.holder").value("shop"))
                .andExpect(jsonPath("$.heldForMillis").value(692))
                .andExpect(jsonPath("$.leaseEndsInMillis").value(20_000))
                .andExpect(content().string(not(containsString("web-1"))));
    }

    @Test
    void howMuchARefusalSaysAboutTheHolderIsASetting() throws Exception {
        asking(IdentityDetail.FULL)
                .perform(get("/held-by"))
                .andExpect(jsonPath("$.holder").value("shop on web-1 (pid 4711)"));
        asking(IdentityDetail.NONE)
                .perform(get("/held-by"))
                .andExpect(jsonPath("$.holder").doesNotExist())
                .andExpect(jsonPath("$.heldForMillis").doesNotExist());
    }

    private static MockMvc asking(IdentityDetail shown) {
        return MockMvcBuilders.standaloneSetup(new Orders())
                .setControllerAdvice(new LockExceptionHandler(shown))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"held,409", "unavailable,503", "interrupted,503", "lost,500"})
    void aRequestWhoseLockFailsIsAnsweredWithAProblemThatNamesTheLockButNotItsKey(String failure, int status)
            throws Exception {
        mvc.perform(get("/" + failure))
                .andExpect(status().is(status))
                .andExpect(content().contentType(MediaType.APPLICATION_PROBLEM_JSON))
                .andExpect(jsonPath("$.detail").value(containsString("'orders'")))
                .andExpect(content().string(not(containsString("user-42"))));
        reactive.get()
                .uri("/" + failure)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .value(containsString("'orders'"));
    }

    @Test
    void anAnswerThatTheStoreIsAwaySaysWhenToTryAgain() throws Exception {
        mvc.perform(get("/unavailable")).andExpect(header().string("Retry-After", "1"));
        mvc.perform(get("/held")).andExpect(header().doesNotExist("Retry-After"));
    }

    @Test
    void aHandlerOfTheApplicationComesFirst() throws Exception {
        MockMvc own = MockMvcBuilders.standaloneSetup(new Orders())
                .setControllerAdvice(new OwnHandler(), new LockExceptionHandler(IdentityDetail.APPLICATION))
                .build();
        own.perform(get("/held")).andExpect(status().is(418));
    }

    @ControllerAdvice
    static class OwnHandler {

        @ExceptionHandler
        ResponseEntity<Void> anything(RuntimeException any) {
            return ResponseEntity.status(418).build();
        }
    }
}
