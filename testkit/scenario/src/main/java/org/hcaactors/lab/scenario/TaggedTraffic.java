// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.client.messages.TagStatistics;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.scenario.TaggedOutcome.Arrival;
import org.hcaactors.lab.scenario.TaggedOutcome.SendEnd;
import org.hcaactors.lab.world.World;

/** Two endpoints of a scenario in its world, with their messages. */
final class TaggedTraffic {
    private static final int MIN_MEMORY = 4096;

    /** A sent message with its stage. */
    private record Sent(TaggedStep.Send step, ByteBuffer data, CompletableFuture<Void> stage) {
        SendEnd end() {
            return !stage.isDone() ? SendEnd.WAITING : stage.isCompletedExceptionally() ? SendEnd.FAILED : SendEnd.DONE;
        }
    }

    /** A posted receive with its stage. */
    private record Wanted(
            TaggedStep.Receive step,
            End end,
            long offset,
            Optional<TagReceive> receive,
            CompletableFuture<TagArrival> stage) {
        Arrival arrival() {
            if (!stage.isDone()) {
                return Arrival.WAITING;
            }
            if (stage.isCompletedExceptionally()) {
                return stage.exceptionNow() instanceof VerbsException reason && reason.errno() == Errno.ECANCELED
                        ? Arrival.CANCELLED
                        : Arrival.FAILED;
            }
            return switch (stage.join().deliveryPath()) {
                case EXPECTED -> Arrival.EXPECTED;
                case COPIED -> Arrival.COPIED;
                case FETCHED -> Arrival.FETCHED;
                case FETCHED_BY_PROGRAM -> Arrival.FETCHED_BY_PROGRAM;
            };
        }

        ByteBuffer data() {
            return ByteBuffer.wrap(end.side.memory().read(offset, stage.join().lengthBytes()));
        }
    }

    /** One of the two endpoints; its buffers are allocated one after the other. */
    private static final class End {
        final Side side;
        final TagEndpoint endpoint;
        final TagPeer peer;
        private long free;

        End(World world, Side side, TaggedConnection line) {
            this.side = side;
            endpoint = world.await(TagEndpoint.open(side.domain(), line.endpoint()));
            peer = world.await(endpoint.addPeer());
        }

        TagBuffer next(int bytes) {
            TagBuffer buffer = TagBuffer.of(side.region(), free, bytes);
            free += bytes;
            return buffer;
        }
    }

    private final World world;
    private final TaggedConnection line;
    private final End first;
    private final End second;
    private final List<Sent> sent = new ArrayList<>();
    private final List<Wanted> requested = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** @param environments environments of processes, by adapter name */
    TaggedTraffic(
            World world,
            TaggedConnection line,
            List<TaggedStep> steps,
            Map<String, Map<String, String>> environments,
            SplittableRandom random) {
        this.world = world;
        this.line = line;
        long bytes = Math.max(
                MIN_MEMORY,
                steps.stream()
                        .mapToLong(step -> (long) step.times() * step.bytes())
                        .sum());
        first = new End(world, side(line.first(), bytes, environments, random), line);
        second = new End(world, side(line.second(), bytes, environments, random), line);
        world.await(second.peer.connect(first.peer.gid(), first.peer.number(), line.attributes()));
        world.await(first.peer.connect(second.peer.gid(), second.peer.number(), line.attributes()));
    }

    private Side side(
            String adapter, long bytes, Map<String, Map<String, String>> environments, SplittableRandom random) {
        DeviceContext context = world.adapter(adapter)
                .process(ScenarioConnection.PROCESS)
                .open(environments.getOrDefault(adapter, Map.of()));
        Side side = Side.within(world.network(), context.allocatePd(), bytes);
        byte[] content = new byte[(int) bytes];
        random.nextBytes(content);
        side.memory().write(0, content);
        return side;
    }

    /** Begins a step; the stage completes when the step has ended. */
    CompletionStage<?> begin(TaggedStep step) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        switch (step) {
            case TaggedStep.Send send -> {
                for (int i = 0; i < send.times(); i++) {
                    all.add(send(send).stage);
                }
            }
            case TaggedStep.Receive receive -> {
                for (int i = 0; i < receive.times(); i++) {
                    all.add(receive(receive).stage);
                }
            }
            case TaggedStep.Cancel cancel ->
                requested.stream()
                        .filter(each -> each.step.equals(cancel.receive()))
                        .forEach(each -> all.add(cancel(each)));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).handle((done, failed) -> true);
    }

    private Sent send(TaggedStep.Send step) {
        End end = step.bySecond() ? second : first;
        TagBuffer buffer = end.next(step.bytes());
        String what = "%d bytes with tag 0x%x".formatted(step.bytes(), step.tag());
        tell(end, "sends " + what);
        ByteBuffer data = ByteBuffer.wrap(end.side.memory().read(buffer.offset(), step.bytes()));
        Sent made = new Sent(step, data, end.peer.send(step.tag(), buffer).toCompletableFuture());
        sent.add(made);
        made.stage.whenComplete((done, reason) -> {
            if (reason != null) {
                failed(end, "send of " + what, reason);
            } else if (step.bytes() > line.endpoint().maxEagerBytes()) {
                tell(end, "may reuse the buffer that held its " + what);
            }
        });
        return made;
    }

    private Wanted receive(TaggedStep.Receive step) {
        End end = step.bySecond() ? second : first;
        TagBuffer buffer = end.next(step.bytes());
        tell(end, "posts a receive of " + step.bytes() + " bytes for " + step.requested());
        Wanted made;
        try {
            TagReceive receive = end.endpoint.receive(step.tag(), step.mask(), buffer);
            made = new Wanted(
                    step,
                    end,
                    buffer.offset(),
                    Optional.of(receive),
                    receive.arrival().toCompletableFuture());
        } catch (VerbsException refused) {
            made = new Wanted(step, end, buffer.offset(), Optional.empty(), CompletableFuture.failedFuture(refused));
        }
        requested.add(made);
        Wanted known = made;
        made.stage.whenComplete((arrival, reason) -> {
            if (arrival != null) {
                tell(end, arrivalText(arrival));
            } else if (known.arrival() == Arrival.FAILED) {
                failed(end, "receive for " + step.requested(), reason);
            }
        });
        return made;
    }

    private static String arrivalText(TagArrival arrival) {
        String what = "received %d bytes with tag 0x%x, ".formatted(arrival.lengthBytes(), arrival.tag());
        return what
                + switch (arrival.deliveryPath()) {
                    case EXPECTED -> "matched by the adapter";
                    case COPIED -> "copied by the program";
                    case FETCHED -> "fetched by the adapter";
                    case FETCHED_BY_PROGRAM -> "fetched by the program";
                };
    }

    private CompletableFuture<?> cancel(Wanted known) {
        String what = "its receive for " + known.step.requested();
        tell(known.end, "cancels " + what);
        return known.receive
                .map(TagReceive::cancel)
                .orElseGet(() -> CompletableFuture.completedStage(false))
                .thenAccept(done -> tell(
                        known.end, done ? "has cancelled " + what : "cannot cancel " + what + ": it has a message"))
                .toCompletableFuture();
    }

    private void tell(End end, String what) {
        world.tell(end.side.adapter(), "program " + line.name(), ScenarioConnection.PROCESS + " " + what);
    }

    private void failed(End end, String what, Throwable thrown) {
        Throwable reason = thrown instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : thrown;
        failures.add(what + ": " + reason.getMessage());
        tell(end, "reports a failure: " + what + ": " + reason.getMessage());
    }

    // --- outcome ---

    List<SendEnd> sends() {
        return sent.stream().map(Sent::end).toList();
    }

    List<Arrival> arrivals() {
        return requested.stream().map(Wanted::arrival).toList();
    }

    /** Returns why sends and receives failed. */
    List<String> failures() {
        return failures;
    }

    /** Statistics of an endpoint of that adapter. */
    record Counted(String adapter, TagStatistics statistics) {}

    List<Counted> statistics() {
        return Stream.of(first, second)
                .map(end -> new Counted(end.side.adapter().name(), end.endpoint.statistics()))
                .toList();
    }

    /**
     * Returns a receive whose bytes are not those of a message with its tag, or belong to a message that another receive
     * already has.
     */
    Optional<String> different() {
        Set<Sent> taken = new LinkedHashSet<>();
        for (Wanted each : requested) {
            if (each.stage.isDone() && !each.stage.isCompletedExceptionally()) {
                ByteBuffer data = each.data();
                Optional<Sent> its = sent.stream()
                        .filter(message -> !taken.contains(message))
                        .filter(message -> message.step.bySecond() != each.step.bySecond())
                        .filter(message ->
                                message.step.tag() == each.stage.join().tag())
                        .filter(message -> message.data.equals(data))
                        .findFirst();
                if (its.isEmpty()) {
                    return Optional.of("the receive for " + each.step.requested() + " on " + line.name());
                }
                taken.add(its.get());
            }
        }
        return Optional.empty();
    }
}
