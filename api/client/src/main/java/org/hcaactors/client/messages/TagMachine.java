// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Machine of an endpoint: matches messages and receives, together with an adapter that matches tags itself. Messages that are
 * unexpected for the adapter are compared here with the receives that it did not know, or learned of too late (rule tag-phase).
 * Of two receives that match a message, the older gets it; of two messages of one sender that match a receive, it gets the
 * older. Inputs are events, results are actions, to be executed in order. One thread at a time.
 */
final class TagMachine {
    private static final int COUNTER = 0xFFFF;
    /** No count: it must be reported to the adapter again. */
    private static final int UNREPORTED = -1;

    private final int maxListed;
    private final int maxOperations;
    private final int longestEager;

    /** Receives without a message, oldest first. */
    private final Map<Long, PendingReceive> waiting = new LinkedHashMap<>();

    /** Those of them that are not in the adapter's list, oldest first; all receives younger than the first are among them. */
    private final ArrayDeque<PendingReceive> unlisted = new ArrayDeque<>();

    /**
     * Receives to remove from the adapter's list. No other operation is posted before: otherwise the adapter would learn too
     * early which messages were handled.
     */
    private final ArrayDeque<PendingReceive> deletions = new ArrayDeque<>();

    /**
     * Messages that are not compared yet, oldest first. While it is unknown whether the adapter has given away the receive that
     * was found for a message, the messages after it wait, because the next receive found may belong to it.
     */
    private final ArrayDeque<UnexpectedMessage> uncompared = new ArrayDeque<>();

    /** True if a receive was found for a message, but the adapter may have given it away. */
    private boolean undecided;

    /** Messages without a receive, oldest first. */
    private final List<UnexpectedMessage> unexpected = new ArrayList<>();

    private final Map<TagArrival.DeliveryPath, Long> arrivals = new EnumMap<>(TagArrival.DeliveryPath.class);
    private long numbers;
    private int listed;
    private int operations;

    /** Numbers of unexpected messages that were handled, and that were reported to the adapter; 16 bits. */
    private int handled;

    private int reported;

    /**
     * True if the adapter has delivered more unexpected messages than were reported as handled, and some receives match
     * nothing.
     */
    private boolean outOfStep;

    private long copiedBytes;
    private long synchronizations;
    private long lateDeletions;

    /** @param longestEager maximum length of an eager message */
    TagMachine(int maxListed, int maxOperations, int longestEager) {
        this.longestEager = longestEager;
        this.maxListed = maxListed;
        this.maxOperations = maxOperations;
    }

    PendingReceive newReceive(long tag, long mask, TagBuffer buffer) {
        return new PendingReceive(++numbers, tag, mask, buffer);
    }

    int waiting() {
        return waiting.size();
    }

    Collection<PendingReceive> withoutMessage() {
        return List.copyOf(waiting.values());
    }

    TagStatistics statistics() {
        return new TagStatistics(arrivals, copiedBytes, synchronizations, lateDeletions);
    }

    // --- inputs from programs ---

    List<TagAction> receive(PendingReceive receive) {
        List<TagAction> acts = new ArrayList<>();
        Iterator<UnexpectedMessage> each = unexpected.iterator();
        while (each.hasNext()) {
            UnexpectedMessage message = each.next();
            if (receive.matches(message.header().tag())) {
                each.remove();
                deliver(receive, message, acts);
                return acts;
            }
        }
        waiting.put(receive.number, receive);
        unlisted.add(receive);
        proceed(acts);
        return acts;
    }

    List<TagAction> cancel(PendingReceive receive) {
        List<TagAction> acts = new ArrayList<>();
        switch (receive.state) {
            case UNLISTED -> {
                unlisted.remove(receive);
                completed(receive);
                acts.add(new TagAction.Cancelled(receive, true));
            }
            case LISTED -> {
                if (!receive.cancelling) {
                    receive.cancelling = true;
                    deletions.add(receive);
                    proceed(acts);
                }
            }
            case FOUND, MATCHED, COMPLETED -> acts.add(new TagAction.Cancelled(receive, false));
        }
        return acts;
    }

    /** No operation is posted any more, and no event arrives: no waiting receive will get a message. */
    List<TagAction> breaks(Collection<PendingReceive> listed, VerbsException reason) {
        List<TagAction> acts = new ArrayList<>();
        Set<PendingReceive> all = new LinkedHashSet<>(waiting.values());
        all.addAll(listed);
        all.addAll(deletions);
        for (PendingReceive each : all) {
            completed(each);
            acts.add(new TagAction.Fail(each, reason));
            if (each.cancelling) {
                acts.add(new TagAction.Cancelled(each, false));
            }
        }
        unlisted.clear();
        deletions.clear();
        uncompared.clear();
        return acts;
    }

    /**
     * The adapter refused the receive: its buffer is invalid, or the list is full. The count that it carried is reported with
     * the next operation.
     */
    List<TagAction> notAdded(PendingReceive receive, VerbsException reason) {
        List<TagAction> acts = new ArrayList<>();
        operations--;
        reported = UNREPORTED;
        leavesList(receive);
        acts.add(new TagAction.Fail(receive, reason));
        proceed(acts);
        return acts;
    }

    // --- inputs from the adapter ---

    List<TagAction> operationEnded(boolean syncRequested) {
        List<TagAction> acts = new ArrayList<>();
        ended(syncRequested);
        proceed(acts);
        return acts;
    }

    private void ended(boolean syncRequested) {
        operations--;
        outOfStep = syncRequested;
    }

    List<TagAction> deletionEnded(PendingReceive receive, boolean wasRemoved, boolean syncRequested) {
        List<TagAction> acts = new ArrayList<>();
        ended(syncRequested);
        UnexpectedMessage found = receive.found;
        if (wasRemoved) {
            listed--;
            if (found != null) {
                undecided = false;
                dealtWith();
                deliver(receive, found, acts);
            } else {
                completed(receive);
                acts.add(new TagAction.Cancelled(receive, true));
            }
        } else {
            lateDeletions++;
            abandonDeletion(receive, acts);
        }
        proceed(acts);
        return acts;
    }

    /** A message has taken the receive; its completion has arrived or will arrive. */
    private void abandonDeletion(PendingReceive receive, List<TagAction> acts) {
        UnexpectedMessage found = receive.found;
        receive.found = null;
        waiting.remove(receive.number);
        if (receive.state != PendingReceive.State.COMPLETED) {
            receive.state = PendingReceive.State.MATCHED;
        }
        if (receive.cancelling) {
            acts.add(new TagAction.Cancelled(receive, false));
        }
        if (found != null) {
            undecided = false;
            uncompared.addFirst(found);
        }
    }

    /** A message that the adapter did not expect. */
    List<TagAction> unexpected(UnexpectedMessage message) {
        List<TagAction> acts = new ArrayList<>();
        uncompared.add(message);
        proceed(acts);
        return acts;
    }

    /** An unexpected message failed after the adapter counted it. */
    List<TagAction> unexpectedFailed() {
        List<TagAction> acts = new ArrayList<>();
        dealtWith();
        proceed(acts);
        return acts;
    }

    /** The message has its receive, or no waiting receive matches it: receives that are listed from now on may match. */
    private void dealtWith() {
        handled = handled + 1 & COUNTER;
    }

    private void compare(UnexpectedMessage message, List<TagAction> acts) {
        Optional<PendingReceive> first = waiting.values().stream()
                .filter(each -> !each.cancelling)
                .filter(each -> each.matches(message.header().tag()))
                .findFirst();
        if (first.isEmpty()) {
            dealtWith();
            unexpected.add(message);
            return;
        }
        PendingReceive receive = first.get();
        waiting.remove(receive.number);
        if (receive.state == PendingReceive.State.UNLISTED) {
            unlisted.remove(receive);
            dealtWith();
            deliver(receive, message, acts);
        } else {
            undecided = true;
            receive.state = PendingReceive.State.FOUND;
            receive.found = message;
            deletions.add(receive);
        }
    }

    /** First of two completions: the message matched, and its data follow. */
    void matched(PendingReceive receive, TagInfo.Info info) {
        waiting.remove(receive.number);
        receive.state = PendingReceive.State.MATCHED;
        receive.info = Optional.of(info);
    }

    /** The data are in the buffer. */
    List<TagAction> arrived(PendingReceive receive, Optional<TagInfo.Info> info, int lengthBytes) {
        long tag = info.or(() -> receive.info).map(TagInfo.Info::tag).orElse(receive.tag);
        TagArrival.DeliveryPath path =
                lengthBytes > longestEager ? TagArrival.DeliveryPath.FETCHED : TagArrival.DeliveryPath.EXPECTED;
        List<TagAction> acts = new ArrayList<>();
        leavesList(receive);
        count(path);
        acts.add(new TagAction.Finish(receive, TagArrival.of(tag, lengthBytes, path)));
        proceed(acts);
        return acts;
    }

    /** The adapter leaves the data to the program. */
    List<TagAction> notFetched(PendingReceive receive, UnexpectedMessage message) {
        List<TagAction> acts = new ArrayList<>();
        leavesList(receive);
        deliver(receive, message, acts);
        proceed(acts);
        return acts;
    }

    List<TagAction> failed(PendingReceive receive, Status status) {
        List<TagAction> acts = new ArrayList<>();
        leavesList(receive);
        acts.add(new TagAction.Fail(
                receive, new VerbsException(Errno.EIO, "receive " + receive.number + " ended with " + status)));
        proceed(acts);
        return acts;
    }

    private void leavesList(PendingReceive receive) {
        listed--;
        completed(receive);
    }

    private void completed(PendingReceive receive) {
        waiting.remove(receive.number);
        receive.state = PendingReceive.State.COMPLETED;
    }

    private void deliver(PendingReceive receive, UnexpectedMessage message, List<TagAction> acts) {
        completed(receive);
        if (message.lengthBytes() > receive.buffer.lengthBytes()) {
            acts.add(new TagAction.Truncate(message, receive));
        } else if (message.where().isPresent()) {
            count(TagArrival.DeliveryPath.FETCHED_BY_PROGRAM);
            acts.add(new TagAction.Fetch(message, receive));
        } else {
            count(TagArrival.DeliveryPath.COPIED);
            copiedBytes += message.lengthBytes();
            acts.add(new TagAction.Copy(message, receive));
        }
    }

    private void count(TagArrival.DeliveryPath path) {
        arrivals.merge(path, 1L, Long::sum);
    }

    // --- operations on the adapter ---

    /** Deletions first: the operations after them report the handled messages. */
    private void proceed(List<TagAction> acts) {
        while (!undecided && !uncompared.isEmpty()) {
            compare(uncompared.remove(), acts);
        }
        while (!deletions.isEmpty() && operations < maxOperations) {
            operations++;
            acts.add(new TagAction.Delete(deletions.remove()));
        }
        while (deletions.isEmpty() && !unlisted.isEmpty() && operations < maxOperations && listed < maxListed) {
            PendingReceive next = unlisted.remove();
            next.state = PendingReceive.State.LISTED;
            operations++;
            listed++;
            acts.add(new TagAction.Add(next, unreportedHandled()));
        }
        if (deletions.isEmpty() && outOfStep && handled != reported && operations < maxOperations) {
            operations++;
            synchronizations++;
            reported = handled;
            acts.add(new TagAction.Sync(handled));
        }
    }

    /** Returns the count of handled messages if it was not reported yet. */
    private OptionalInt unreportedHandled() {
        if (handled == reported) {
            return OptionalInt.empty();
        }
        reported = handled;
        return OptionalInt.of(handled);
    }
}
