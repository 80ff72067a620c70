// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.kotlin

import java.time.Duration
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import org.hcaactors.lab.seeds.RdmaTests
import org.hcaactors.lab.world.Pace
import org.hcaactors.lab.world.World
import org.hcaactors.lab.world.WorldOptions
import org.hcaactors.lab.world.WorldStalledException

// Coroutines in a world: each of their steps is one of the world's, and delay and withTimeout count its time.

/** Coroutines that are named where a world has stalled. */
private const val MAX_NAMED = 16

/** Delays may be long; what can never be done is told at once. */
private val LONG = Duration.ofDays(1)

/** How long a world may take to come to rest when its coroutines are done. */
private val REST = Duration.ofSeconds(10)

/**
 * A world of its own for one run of [body]: its faults stop when that is done, what is under way ends, and the world is closed.
 *
 * What the body throws is thrown as it is. Dispatchers.Default and Dispatchers.IO are real threads, and none of the world's: coroutines of the body run
 * where they are launched in its scope, or with [dispatcher].
 *
 * @param seed of the order, the pauses and whatever else is drawn
 * @param options how the world is made
 * @param atMost virtual time that the body may take; a day, if nobody says
 * @throws WorldStalledException if it can never be done, or not in that time; it names the coroutines that wait
 */
fun <T> runWorld(
    seed: Long = 0,
    options: WorldOptions = WorldOptions.ofProgram(seed, Pace.DRAWN),
    atMost: Duration = LONG,
    body: suspend CoroutineScope.(World) -> T,
): T {
    val world = World.of(options)
    val result =
        try {
            world.runSuspending(atMost) { body(world) }.also { world.heal(REST) }
        } catch (failed: Throwable) {
            closeBroken(world)
            throw failed
        }
    world.close()
    return result
}

/** What closing finds in a world whose run has failed is told by the failure itself. */
private fun closeBroken(world: World) {
    try {
        world.close()
    } catch (told: RuntimeException) {
        // It need not end in order.
    } catch (told: AssertionError) {
        // The same.
    }
}

/** Where coroutines run as steps of this world; delays and timeouts count its time. */
fun World.dispatcher(): CoroutineDispatcher = executor().asCoroutineDispatcher()

/**
 * Lets this world go on until [body], and all that it launched in its scope, is done. What it throws is thrown as it is.
 *
 * @param atMost virtual time that it may take; a day, if nobody says
 * @throws WorldStalledException if it can never be done, or not in that time; it names the coroutines that wait
 */
@OptIn(ExperimentalCoroutinesApi::class)
fun <T> World.runSuspending(atMost: Duration = LONG, body: suspend CoroutineScope.() -> T): T {
    val all: Deferred<T> = CoroutineScope(dispatcher()).async(block = body)
    val done = CompletableFuture<Unit>()
    all.invokeOnCompletion { done.complete(Unit) }
    try {
        await(done, atMost)
    } catch (stalled: WorldStalledException) {
        throw stalled.andSays(waiting(all))
    } finally {
        all.cancel()
    }
    return all.getCompleted()
}

/** The same for each seed of a test that a builder makes. */
fun RdmaTests.runSuspending(atMost: Duration = LONG, body: suspend CoroutineScope.(World) -> Unit) = run { world ->
    world.runSuspending(atMost) { body(world) }
}

private fun waiting(all: Job): String {
    val left = all.children.flatMap(::leaves).map(::words).take(MAX_NAMED + 1).toList()
    if (left.isEmpty()) {
        return "\n  of its coroutines the body itself waits"
    }
    val more = if (left.size > MAX_NAMED) " and more" else ""
    return "\n  coroutines that wait: " + left.take(MAX_NAMED).joinToString() + more
}

/** Those that wait for no coroutine of their own. */
private fun leaves(job: Job): Sequence<Job> = if (job.children.any()) job.children.flatMap(::leaves) else sequenceOf(job)

private fun words(job: Job): String = (job as? CoroutineScope)?.coroutineContext?.get(CoroutineName)?.name ?: "one without a CoroutineName"
