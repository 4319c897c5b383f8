package com.example.tickets

import io.distributedlock.spring.DistributedLock
import io.distributedlock.spring.FencingToken
import io.distributedlock.spring.OnRefusal
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Service

@SpringBootApplication(proxyBeanMethods = false)
class TicketApplication

/** Sells seats; each seat has a lock. */
@Service
open class Tickets {

    @DistributedLock(name = "seat", key = ["#seat"], waitTime = "0")
    open suspend fun sell(seat: String, sale: suspend () -> String): String = sale()

    @DistributedLock(name = "seat", key = ["#seat"], waitTime = "0", onRefusal = OnRefusal.SKIP)
    open suspend fun sellUnlessBusy(seat: String): String? = "sold"

    @DistributedLock(name = "seat", key = ["#seat"])
    open suspend fun token(seat: String, @FencingToken token: Long = 0): Long = token

    @DistributedLock(name = "seat", key = ["#seat"], waitTime = "0")
    open fun offers(seat: String, before: suspend (Int) -> Unit): Flow<Int> = flow {
        for (price in 1..3) {
            before(price)
            emit(price)
        }
    }

    @DistributedLock(name = "seat", key = ["#seat"], waitTime = "0")
    open suspend fun laterOffers(seat: String): Flow<Int> = offersOf(seat)

    private fun offersOf(seat: String): Flow<Int> = flow {
        emit(seat.length)
        emit(seat.length + 1)
    }
}
