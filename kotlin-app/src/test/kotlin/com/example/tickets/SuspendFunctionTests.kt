package com.example.tickets

import io.distributedlock.LockClient
import io.distributedlock.LockNotAcquiredException
import io.distributedlock.LockRequest
import java.util.concurrent.atomic.AtomicReference
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

/** A suspend function holds its lock until it returns, however often it is suspended before. */
@SpringBootTest(classes = [TicketApplication::class])
class SuspendFunctionTests(@Autowired private val tickets: Tickets, @Autowired private val client: LockClient) {

    @AfterEach
    fun nothingIsHeld() = await().untilAsserted { assertThat(client.held()).isEmpty() }

    @Test
    fun theLockIsHeldWhileTheFunctionIsSuspendedAndReleasedBeforeItsCallerGoesOn() = runBlocking<Unit> {
        val begun = CompletableDeferred<Unit>()
        val sale = CompletableDeferred<String>()
        val result = async {
            tickets.sell("7") {
                begun.complete(Unit)
                sale.await()
            } to client.held().size
        }
        begun.await()
        assertThat(client.held()).extracting<String> { it.key() }.containsExactly("7")
        sale.complete("sold")
        assertThat(result.await()).isEqualTo("sold" to 0)
    }

    @Test
    fun whatTheFunctionThrowsReachesItsCaller() {
        assertThatExceptionOfType(IllegalStateException::class.java)
            .isThrownBy { runBlocking { tickets.sell("7") { error("no seat") } } }
            .withMessage("no seat")
    }

    @Test
    fun aCancelledCallerCancelsTheFunctionAndReleasesTheLock() = runBlocking<Unit> {
        val begun = CompletableDeferred<Unit>()
        val end = AtomicReference<Throwable>()
        val caller = launch {
            tickets.sell("7") {
                begun.complete(Unit)
                try {
                    awaitCancellation()
                } catch (cancelled: CancellationException) {
                    end.set(cancelled)
                    throw cancelled
                }
            }
        }
        begun.await()
        caller.cancelAndJoin()
        await().untilAsserted { assertThat(end.get()).isInstanceOf(CancellationException::class.java) }
    }

    @Test
    fun aRefusedCallThrowsOrIsSkipped() {
        client.acquire(LockRequest.of("seat", "7")).use {
            assertThatExceptionOfType(LockNotAcquiredException::class.java)
                .isThrownBy { runBlocking { tickets.sell("7") { "sold" } } }
            assertThat(runBlocking { tickets.sellUnlessBusy("7") }).isNull()
        }
        assertThat(runBlocking { tickets.sellUnlessBusy("7") }).isEqualTo("sold")
    }

    @Test
    fun theFunctionIsGivenTheTokenOfItsLock() = runBlocking<Unit> {
        val first = tickets.token("7")
        assertThat(tickets.token("7")).isGreaterThan(first).isPositive()
    }

    @Test
    fun theFunctionRunsInTheContextOfItsCaller() = runBlocking<Unit>(CoroutineName("counter")) {
        assertThat(tickets.sell("7") { currentCoroutineContext()[CoroutineName]!!.name }).isEqualTo("counter")
    }
}
