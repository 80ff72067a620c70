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

// Coroutines in a world: each of their steps is a step of the world, and delay and withTimeout count its virtual time.

/** Maximum number of coroutines that the message of a stalled world names. */
private const val MAX_NAMED = 16

/** Default limit. Delays may be long; a wait that can never end is reported at once. */
private val LONG = Duration.ofDays(1)

/** Virtual time in which a world must become idle after its coroutines are done. */
private val REST = Duration.ofSeconds(10)

/**
 * Runs [body] in a new world. When the body is done, faults stop, everything in progress ends, and the world is closed.
 *
 * An exception of the body is thrown unchanged. Dispatchers.Default and Dispatchers.IO are real threads that do not belong to
 * the world: launch coroutines in the body's scope, or with [dispatcher].
 *
 * @param seed seed of the order, the pauses and every other random choice
 * @param options options of the world
 * @param atMost virtual time that the body may take; a day by default
 * @throws WorldStalledException if the body can never be done, or not in that time; it names the coroutines that wait
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

/** Ignores errors on closing: the failure of the run explains them. */
private fun closeBroken(world: World) {
    try {
        world.close()
    } catch (told: RuntimeException) {
        // The world need not end in order.
    } catch (told: AssertionError) {
        // The same.
    }
}

/** Returns a dispatcher whose coroutines run as steps of this world; delays and timeouts count its virtual time. */
fun World.dispatcher(): CoroutineDispatcher = executor().asCoroutineDispatcher()

/**
 * Runs this world until [body], and every coroutine that it launched in its scope, is done. An exception is thrown unchanged.
 *
 * @param atMost virtual time that the body may take; a day by default
 * @throws WorldStalledException if the body can never be done, or not in that time; it names the coroutines that wait
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

/** Runs [body] with coroutines, for each seed of the test. */
fun RdmaTests.runSuspending(atMost: Duration = LONG, body: suspend CoroutineScope.(World) -> Unit) = run { world ->
    world.runSuspending(atMost) { body(world) }
}

private fun waiting(all: Job): String {
    val left = all.children.flatMap(::leaves).map(::words).take(MAX_NAMED + 1).toList()
    if (left.isEmpty()) {
        return "\n  the coroutine of the body itself waits"
    }
    val more = if (left.size > MAX_NAMED) " and more" else ""
    return "\n  coroutines that wait: " + left.take(MAX_NAMED).joinToString() + more
}

/** Returns the coroutines that wait for no child. */
private fun leaves(job: Job): Sequence<Job> = if (job.children.any()) job.children.flatMap(::leaves) else sequenceOf(job)

private fun words(job: Job): String = (job as? CoroutineScope)?.coroutineContext?.get(CoroutineName)?.name ?: "a coroutine without a CoroutineName"
