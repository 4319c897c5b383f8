package com.example.tickets

import io.distributedlock.LockClient
import io.distributedlock.LockNotAcquiredException
import io.distributedlock.LockRequest
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/** Each collection of a flow takes the lock and holds it until its end. */
@SpringBootTest(classes = [TicketApplication::class])
class FlowTests(@Autowired private val tickets: Tickets, @Autowired private val client: LockClient) {

    @AfterEach
    fun nothingIsHeld() = await().untilAsserted { assertThat(client.held()).isEmpty() }

    private fun held() = client.held().size

    @Test
    fun theLockIsHeldFromTheFirstElementToTheLastAndNotBeforeTheCollection() = runBlocking<Unit> {
        val seen = mutableListOf<Int>()
        val offers = tickets.offers("7") { seen.add(held()) }
        assertThat(held()).isZero()
        assertThat(offers.onCompletion { seen.add(held()) }.toList()).containsExactly(1, 2, 3)
        assertThat(seen).containsExactly(1, 1, 1, 0)
    }

    @Test
    fun aCollectorThatHasEnoughReleasesTheLock() = runBlocking<Unit> {
        assertThat(tickets.offers("7") { }.first()).isEqualTo(1)
    }

    @Test
    fun anErrorReleasesTheLock() {
        assertThatExceptionOfType(IllegalStateException::class.java)
            .isThrownBy { runBlocking { tickets.offers("7") { price -> check(price < 2) { "too dear" } }.toList() } }
            .withMessage("too dear")
    }

    @Test
    fun aRefusalReachesTheCollector() {
        client.acquire(LockRequest.of("seat", "7")).use {
            assertThatExceptionOfType(LockNotAcquiredException::class.java)
                .isThrownBy { runBlocking { tickets.offers("7") { }.toList() } }
        }
    }

    @Test
    fun aFlowOfASuspendFunctionIsCollectedUnderTheLock() = runBlocking<Unit> {
        assertThat(tickets.laterOffers("7").toList()).containsExactly(1, 2)
    }
}
