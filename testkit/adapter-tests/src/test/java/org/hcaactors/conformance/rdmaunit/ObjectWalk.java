// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;

/**
 * A program that creates and destroys objects at random, sometimes on destroyed objects, sometimes objects in use. Each result
 * is known in advance: EINVAL for a destroyed one, EBUSY for one in use, success otherwise.
 */
final class ObjectWalk {
    private static final int MAX = 40;

    private enum Kind {
        DOMAIN,
        ADDRESS_HANDLE,
        CHANNEL,
        COMPLETION_QUEUE,
        SHARED_RECEIVE_QUEUE,
        REGION,
        QUEUE_PAIR
    }

    /** A created object, what it depends on, and whether it still exists. */
    private static final class Made {
        final Kind kind;
        final Handle handle;
        final List<Made> on;
        int users;
        boolean gone;

        Made(Kind kind, Handle handle, List<Made> on) {
            this.kind = kind;
            this.handle = handle;
            this.on = on;
        }
    }

    private final Ground ground;
    private final Random random;
    private final DeviceContext context;
    private final HostMemory memory;
    private final List<Made> all = new ArrayList<>();

    ObjectWalk(Ground ground, long seed) {
        this.ground = ground;
        random = new Random(seed);
        context = ground.a().process("walk").open();
        memory = ground.a().process("walk").allocate(Ground.PAGE);
    }

    void walk(int steps) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4 -> make(Kind.values()[random.nextInt(Kind.values().length)]);
                case 5 -> race();
                default -> destroy();
            }
            assertThat(context.openObjects().leaks()).as("after step %d", i).hasSize((int)
                    all.stream().filter(made -> !made.gone).count());
        }
        all.stream().filter(made -> made.gone).forEach(made -> ground.await(made.handle.closeAsync()));
        ground.await(context.closeAsync());
        assertThat(context.openObjects().isEmpty()).isTrue();
    }

    private Optional<Made> any(Kind kind) {
        boolean goneToo = random.nextInt(10) == 0;
        List<Made> fit = all.stream()
                .filter(made -> made.kind == kind && (goneToo || !made.gone))
                .toList();
        return fit.isEmpty() ? Optional.empty() : Optional.of(fit.get(random.nextInt(fit.size())));
    }

    private List<Kind> needs(Kind kind) {
        return switch (kind) {
            case DOMAIN, CHANNEL -> List.of();
            case COMPLETION_QUEUE -> random.nextBoolean() ? List.of() : List.of(Kind.CHANNEL);
            case ADDRESS_HANDLE, SHARED_RECEIVE_QUEUE, REGION -> List.of(Kind.DOMAIN);
            case QUEUE_PAIR -> {
                List<Kind> plain = List.of(Kind.DOMAIN, Kind.COMPLETION_QUEUE, Kind.COMPLETION_QUEUE);
                yield random.nextBoolean()
                        ? plain
                        : Stream.concat(plain.stream(), Stream.of(Kind.SHARED_RECEIVE_QUEUE))
                                .toList();
            }
        };
    }

    private void make(Kind kind) {
        List<Optional<Made>> found = needs(kind).stream().map(this::any).toList();
        if (all.stream().filter(made -> !made.gone).count() >= MAX
                || found.stream().anyMatch(Optional::isEmpty)) {
            return;
        }
        List<Made> on = found.stream().flatMap(Optional::stream).toList();
        try {
            Handle handle = ground.await(start(kind, on));
            assertThat(on).as("made on what is gone").noneMatch(made -> made.gone);
            add(kind, handle, on);
        } catch (VerbsException refused) {
            assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
            assertThat(on).as(refused.getMessage()).anyMatch(made -> made.gone);
        }
    }

    private void add(Kind kind, Handle handle, List<Made> on) {
        all.add(new Made(kind, handle, on));
        on.forEach(made -> made.users++);
    }

    private CompletionStage<? extends Handle> start(Kind kind, List<Made> on) {
        Function<Integer, Handle> at = i -> on.get(i).handle;
        return switch (kind) {
            case DOMAIN -> CompletableFuture.completedStage(context.allocatePd());
            case ADDRESS_HANDLE ->
                domain(at).createAddressHandle(AddressVector.to(ground.a().gid()));
            case CHANNEL -> context.createChannel();
            case COMPLETION_QUEUE ->
                context.createCq(
                        on.isEmpty()
                                ? CqDescription.of(10)
                                : CqDescription.of(10).withChannel((CompletionChannel) at.apply(0)));
            case SHARED_RECEIVE_QUEUE -> domain(at).createSrq(SrqDescription.DEFAULT);
            case REGION -> domain(at).register(memory, Access.LOCAL_WRITE);
            case QUEUE_PAIR -> {
                var rc = QpDescription.rc()
                        .withSendCq((CompletionQueue) at.apply(1))
                        .withRecvCq((CompletionQueue) at.apply(2));
                yield domain(at).createQp(on.size() < 4 ? rc : rc.withSrq((SharedReceiveQueue) at.apply(3)));
            }
        };
    }

    private static ProtectionDomain domain(Function<Integer, Handle> at) {
        return (ProtectionDomain) at.apply(0);
    }

    private void destroy() {
        List<Made> there = all.stream().filter(made -> !made.gone).toList();
        if (there.isEmpty()) {
            return;
        }
        Made victim = there.get(random.nextInt(there.size()));
        try {
            ground.await(victim.handle.closeAsync());
            assertThat(victim.users).as("users of %s", victim.handle.describe()).isZero();
            remove(victim);
        } catch (VerbsException refused) {
            assertThat(refused.errno()).isEqualTo(Errno.EBUSY);
            assertThat(victim.users).as(refused.getMessage()).isPositive();
        }
    }

    private static void remove(Made victim) {
        victim.gone = true;
        victim.on.forEach(made -> made.users--);
    }

    /** Creates a queue pair while one of the objects that it needs is destroyed: one of the two must fail. */
    private void race() {
        List<Optional<Made>> found =
                needs(Kind.QUEUE_PAIR).stream().map(this::any).toList();
        if (found.stream().anyMatch(made -> made.isEmpty() || made.get().gone || made.get().users > 0)) {
            return;
        }
        List<Made> on = found.stream().flatMap(Optional::stream).toList();
        Made victim = on.get(random.nextInt(on.size()));
        CompletionStage<Void> going;
        CompletionStage<? extends Handle> making;
        if (random.nextBoolean()) {
            going = victim.handle.closeAsync();
            making = start(Kind.QUEUE_PAIR, on);
        } else {
            making = start(Kind.QUEUE_PAIR, on);
            going = victim.handle.closeAsync();
        }
        Optional<? extends Handle> made = outcome(making, Errno.EINVAL);
        boolean went = outcome(going.thenApply(done -> true), Errno.EBUSY).isPresent();
        assertThat(made.isPresent()).as("exactly one of making and destroying").isNotEqualTo(went);
        made.ifPresent(handle -> add(Kind.QUEUE_PAIR, handle, on));
        if (went) {
            remove(victim);
        }
    }

    private <T> Optional<T> outcome(CompletionStage<T> stage, Errno refusal) {
        try {
            return Optional.of(ground.await(stage));
        } catch (VerbsException refused) {
            assertThat(refused.errno()).isEqualTo(refusal);
            return Optional.empty();
        }
    }
}
