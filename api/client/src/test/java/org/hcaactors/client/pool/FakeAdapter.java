// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Send;

/** Initiators without an adapter: each does what its test says, within the transport's rules. */
final class FakeAdapter {
    /** A request that an initiator holds. */
    static final class Entry {
        final int target;
        final int stream;
        final long id;
        final CompletableFuture<WorkCompletion> told = new CompletableFuture<>();

        Entry(int target, int stream, long id) {
            this.target = target;
            this.stream = stream;
            this.id = id;
        }
    }

    /** An initiator. */
    final class Fake {
        final int index;
        final List<Entry> queue = new ArrayList<>();
        QpState state = QpState.RTS;
        Optional<DcStreams> streams = Optional.of(new DcStreams(8, 8));
        boolean refusesToOpen;
        int opened;

        Fake(int index) {
            this.index = index;
        }

        /** Acknowledges the oldest request of a stream. */
        void completes(int stream) {
            Entry oldest = oldest(stream);
            queue.remove(oldest);
            carriedOut.add(oldest.id);
            tell(oldest, Status.SUCCESS);
        }

        /** Fails the oldest request of a stream, and flushes the other requests of the stream, or of all streams. */
        void fails(int stream, Status status, boolean all) {
            Entry oldest = oldest(stream);
            List<Entry> taken = queue.stream()
                    .filter(entry -> all || entry.stream == stream)
                    .toList();
            queue.removeAll(taken);
            state = all ? QpState.ERR : state;
            for (Entry entry : flushedBackwards ? taken.reversed() : taken) {
                tell(entry, entry == oldest ? status : Status.WR_FLUSH_ERR);
            }
        }

        Entry oldest(int stream) {
            return queue.stream()
                    .filter(entry -> entry.stream == stream)
                    .findFirst()
                    .orElseThrow();
        }

        private CompletionStage<WorkCompletion> submit(DcAddress to, int stream, RcWork work) {
            if (state != QpState.RTS && state != QpState.ERR) {
                return CompletableFuture.failedStage(VerbsException.invalid("initiator " + index + " is in " + state));
            }
            if (work.id() == THROWING) {
                throw new IllegalArgumentException("not to be understood");
            }
            if (work.id() < 0) {
                return CompletableFuture.failedStage(VerbsException.invalid("not to be posted"));
            }
            Entry entry = new Entry(to.dctNumber(), stream, work.id());
            placed.add(name(to.dctNumber()) + index + (stream > 0 ? "." + stream : ""));
            if (state == QpState.ERR) {
                tell(entry, Status.WR_FLUSH_ERR);
            } else {
                queue.add(entry);
            }
            return entry.told;
        }

        private CompletionStage<Void> modify(QpModify change) {
            if (refusesToOpen) {
                return CompletableFuture.failedStage(VerbsException.invalid("no way"));
            }
            state = change.target();
            opened += state == QpState.RTS ? 1 : 0;
            return CompletableFuture.completedStage(null);
        }

        private Object invoke(Object self, java.lang.reflect.Method method, Object[] given) throws Throwable {
            return switch (method.getName()) {
                case "state" -> state;
                case "streams" -> streams;
                case "capacity" -> QpCapacity.of(depth);
                case "submit" -> submit((DcAddress) given[0], (int) given[1], (RcWork) given[2]);
                case "modify" -> modify((QpModify) given[0]);
                case "open" -> InvocationHandler.invokeDefault(self, method, given);
                case "query" -> CompletableFuture.completedStage(QpSnapshot.of(state));
                case "resetStream" -> {
                    resets.add(index + "." + given[0]);
                    yield CompletableFuture.completedStage(null);
                }
                case "equals" -> self == given[0];
                case "hashCode" -> index;
                default -> "initiator " + index;
            };
        }

        DcInitiator handle() {
            return (DcInitiator) Proxy.newProxyInstance(
                    DcInitiator.class.getClassLoader(), new Class<?>[] {DcInitiator.class}, this::invoke);
        }
    }

    /** Identifier of a request at which initiators throw; other identifiers below 0 are refused. */
    static final long THROWING = -7;

    final int depth;
    final List<Fake> fakes;
    final DciPool pool;
    /** Initiator of each request, as A0 or, on a stream, A0.1. */
    final List<String> placed = new ArrayList<>();
    /** Streams that were reset, as 0.1. */
    final List<String> resets = new ArrayList<>();
    /** Identifiers of the requests that targets executed. */
    final List<Long> carriedOut = new ArrayList<>();
    /** Answers for callers, as 7 SUCCESS. */
    final List<String> answers = new ArrayList<>();

    boolean flushedBackwards;
    private final Map<Integer, DcAddress> addresses = new HashMap<>();
    private long ids;

    FakeAdapter(int initiators, int depth, DciPolicy policy, int maxWaiting) {
        this.depth = depth;
        fakes = IntStream.range(0, initiators).mapToObj(Fake::new).toList();
        pool = DciPool.of(
                fakes.stream().map(Fake::handle).toList(),
                DciPoolDescription.DEFAULT.withPolicy(policy).withMaxWaiting(maxWaiting));
    }

    static String name(int target) {
        return String.valueOf((char) ('A' + target));
    }

    /** Posts a request and returns its identifier. */
    long submit(int target) {
        submit(target, ids);
        return ids++;
    }

    /** Posts a request that changes a key and returns its identifier. */
    long change(int target) {
        submit(target, LocalInvalidate.of(ids, 1));
        return ids++;
    }

    void submit(int target, long id) {
        submit(target, work(id));
    }

    private void submit(int target, RcWork work) {
        long id = work.id();
        pool.submit(address(target), work)
                .whenComplete((completion, reason) ->
                        answers.add(id + " " + (reason == null ? completion.status() : reason.getMessage())));
    }

    RcWork work(long id) {
        return Send.of(id);
    }

    DcAddress address(int target) {
        return addresses.computeIfAbsent(target, number -> DcAddress.of(path(), number, DcAccessKey.of(1)));
    }

    private static AddressHandle path() {
        AddressVector vector = AddressVector.to(Gid.ofIpv4(10, 0, 0, 1));
        return (AddressHandle) Proxy.newProxyInstance(
                AddressHandle.class.getClassLoader(),
                new Class<?>[] {AddressHandle.class},
                (self, method, given) -> switch (method.getName()) {
                    case "vector" -> vector;
                    case "equals" -> self == Objects.requireNonNull(given)[0];
                    case "hashCode" -> 1;
                    default -> "path";
                });
    }

    private void tell(Entry entry, Status status) {
        entry.told.complete(WorkCompletion.of(entry.id, status, CompletionKind.SEND, 7, 0, OptionalInt.empty()));
    }
}
