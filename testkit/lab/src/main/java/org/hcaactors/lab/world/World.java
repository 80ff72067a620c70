package org.hcaactors.lab.world;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.lab.flow.TraceRecorder;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * A deterministic world: an RDMA network whose actors all run on the thread that made it, in an order that a seed decides,
 * in virtual nanoseconds. The same seed gives the same run, in any JVM. Nothing moves unless the owner lets it: by {@link
 * #await}, {@link #runFor} or {@link #settle}.
 *
 * <p>Many worlds may exist at once, each on its own thread.
 */
public final class World implements AutoCloseable {
    private final long seed;
    private final WorldCore core;
    private final TraceRecorder recorder;
    private final ActorSystem<Void> system;
    private final RdmaNetwork network;

    private World(long seed, RunQueue.Order order, FabricLimits limits) {
        this.seed = seed;
        core = new WorldCore(new RunQueue(order, mixed(seed)));
        recorder = new TraceRecorder();
        system = boot();
        network = RdmaNetwork.on(system, new Environment(core::now, recorder, limits, this::await));
    }

    /** Ready tasks run in an order that the seed draws. */
    public static World of(long seed) {
        return new World(seed, RunQueue.Order.RANDOM, FabricLimits.DEFAULT);
    }

    /** Ready tasks run in the order in which they became ready. */
    public static World inOrder() {
        return new World(0, RunQueue.Order.FIRST_IN_FIRST_OUT, FabricLimits.DEFAULT);
    }

    public long seed() {
        return seed;
    }

    public RdmaNetwork network() {
        return network;
    }

    /** The actor system that runs in this world's time and order; actors of yours may live in it. */
    public ActorSystem<?> system() {
        return system;
    }

    /** Everything that happened. */
    public TraceRecorder trace() {
        return recorder;
    }

    /** Virtual nanoseconds since the world began. */
    public long now() {
        return core.now();
    }

    /** Tasks run so far: one message of one actor each. */
    public long steps() {
        return core.steps();
    }

    /**
     * Lets the world run until the stage is done.
     *
     * @return its value; a failure is thrown as it is
     * @throws WorldStalledException if nothing is left that could complete it, or if that much virtual time has passed
     */
    public <T> T await(CompletionStage<T> stage, Duration atMost) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long limit = core.now() + atMost.toNanos();
        if (!runUntil(future::isDone, limit)) {
            throw new WorldStalledException(Stall.story(this, core.hasTimer(), atMost));
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    public <T> T await(CompletionStage<T> stage) {
        return await(stage, RdmaNetwork.DEFAULT_PATIENCE);
    }

    /** Lets that much virtual time pass. */
    public void runFor(Duration time) {
        long until = core.now() + time.toNanos();
        runUntil(() -> false, until);
        core.advanceTo(until);
        core.drain();
    }

    /** Runs everything that is ready without letting time pass. */
    public void settle() {
        core.checkThread();
        core.drain();
        core.checkLeaks();
    }

    /** Runs until nothing is ready and no timer is armed, or that much virtual time has passed; true if all is quiet. */
    public boolean runToQuiet(Duration atMost) {
        runUntil(() -> false, core.now() + atMost.toNanos());
        return !core.hasTimer();
    }

    @Override
    public void close() {
        network.close();
        system.terminate();
        await(system.getWhenTerminated());
        core.checkLeaks();
    }

    /** False when nothing is left to do by {@code limit}. Leaks are found here, whoever asked. */
    private boolean runUntil(BooleanSupplier done, long limit) {
        core.checkThread();
        while (!done.getAsBoolean()) {
            if (!core.step() && !core.passTime(limit)) {
                core.checkLeaks();
                return false;
            }
        }
        core.checkLeaks();
        return true;
    }

    private ActorSystem<Void> boot() {
        CompletableFuture<ActorSystem<Void>> booted = new CompletableFuture<>();
        ActorSystemSetup setup = ActorSystemSetup.create(BootstrapSetup.create(config()), new WorldSetup(core));
        WorldScheduler.whileBooting(
                core, () -> pumping(() -> booted.complete(ActorSystem.create(Behaviors.empty(), "world", setup))));
        return booted.join();
    }

    /** Where Scala code blocks, which Pekko does while it starts, the world goes on instead. */
    private void pumping(Runnable body) {
        BlockContext pump = new BlockContext() {
            @Override
            public <T> T blockOn(Function0<T> thunk, CanAwait permission) {
                core.drain();
                return thunk.apply();
            }
        };
        BlockContext.withBlockContext(pump, () -> {
            body.run();
            return true;
        });
    }

    private static Config config() {
        String executor = "{ type = Dispatcher, executor = \"" + WorldExecutorConfigurator.class.getName()
                + "\", throughput = 1 }";
        return ConfigFactory.parseString("""
                        pekko {
                          scheduler.implementation = "%1$s"
                          actor.default-dispatcher = %2$s
                          actor.internal-dispatcher = %2$s
                          actor.default-blocking-io-dispatcher = %2$s
                          io.pinned-dispatcher = %2$s
                          loggers-dispatcher = "pekko.actor.default-dispatcher"
                          loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
                          logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
                          loglevel = WARNING
                          jvm-shutdown-hooks = off
                          coordinated-shutdown.run-by-jvm-shutdown-hook = off
                          log-dead-letters = off
                        }
                        hca.device-dispatcher = %2$s
                        hca.caller-dispatcher = %2$s
                        """.formatted(WorldScheduler.class.getName(), executor))
                .withFallback(ConfigFactory.load());
    }

    /** Neighbouring seeds must not give neighbouring runs. */
    private static long mixed(long seed) {
        long z = seed * 0x9E3779B97F4A7C15L + 0x1234_5678_9ABC_DEFL;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
