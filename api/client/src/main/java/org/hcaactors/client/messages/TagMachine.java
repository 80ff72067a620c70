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
import org.hcaactors.api.completion.Tagging;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Which receive gets which message, together with an adapter that compares tags by itself: what it does not expect comes here, and
 * is compared with what the adapter was not told of yet, or told of too late (rule tag-phase). Of two receives that wait for a
 * message the older gets it; of two messages of one sender that a receive waits for, it gets the older. It is told what happens,
 * and says what is to be done, in that order. One thread at a time.
 */
final class TagMachine {
    private static final int COUNTER = 0xFFFF;
    /** No count: the adapter is to be told anew. */
    private static final int UNTOLD = -1;

    private final int mostListed;
    private final int mostOperations;
    private final int longestEager;

    /** Receives without a message, oldest first. */
    private final Map<Long, Awaited> waiting = new LinkedHashMap<>();

    /** Those of them that the adapter does not know, oldest first: all that are younger than the first are among them. */
    private final ArrayDeque<Awaited> unlisted = new ArrayDeque<>();

    /** Receives to be taken out of the adapter's list. Nothing else is told it before: it must not hear too early what was dealt with. */
    private final ArrayDeque<Awaited> deletions = new ArrayDeque<>();

    /**
     * Messages that are not compared yet, oldest first: while the adapter has not said whether it gave away what was found for one,
     * those behind it wait, as what is found for them may be meant for it.
     */
    private final ArrayDeque<Surprise> uncompared = new ArrayDeque<>();

    /** Something was found for a message that the adapter may have given away. */
    private boolean undecided;

    /** Messages without a receive, oldest first. */
    private final List<Surprise> surprises = new ArrayList<>();

    private final Map<TagArrival.Way, Long> arrivals = new EnumMap<>(TagArrival.Way.class);
    private long numbers;
    private int listed;
    private int operations;

    /** Unexpected messages that were dealt with, and as many as the adapter knows of; of 16 bits. */
    private int handled;

    private int told;

    /** The adapter has delivered more than it knows to be dealt with, and lets some receives match nothing. */
    private boolean outOfStep;

    private long copiedBytes;
    private long synchronizations;
    private long lateDeletions;

    /** @param longestEager message that brings its data; longer ones leave them at their sender */
    TagMachine(int mostListed, int mostOperations, int longestEager) {
        this.longestEager = longestEager;
        this.mostListed = mostListed;
        this.mostOperations = mostOperations;
    }

    Awaited newReceive(long tag, long mask, TagBuffer buffer) {
        return new Awaited(++numbers, tag, mask, buffer);
    }

    int waiting() {
        return waiting.size();
    }

    Collection<Awaited> withoutMessage() {
        return List.copyOf(waiting.values());
    }

    TagFigures figures() {
        return new TagFigures(arrivals, copiedBytes, synchronizations, lateDeletions);
    }

    // --- what programs ask for ---

    List<TagAct> receive(Awaited receive) {
        List<TagAct> acts = new ArrayList<>();
        Iterator<Surprise> each = surprises.iterator();
        while (each.hasNext()) {
            Surprise message = each.next();
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

    List<TagAct> cancel(Awaited receive) {
        List<TagAct> acts = new ArrayList<>();
        switch (receive.state) {
            case UNLISTED -> {
                unlisted.remove(receive);
                over(receive);
                acts.add(new TagAct.Cancelled(receive, true));
            }
            case LISTED -> {
                if (!receive.cancelling) {
                    receive.cancelling = true;
                    deletions.add(receive);
                    proceed(acts);
                }
            }
            case FOUND, MATCHED, OVER -> acts.add(new TagAct.Cancelled(receive, false));
        }
        return acts;
    }

    /** Nothing is told the adapter, or heard of it, any more: no message will come for any receive that waits. */
    List<TagAct> breaks(Collection<Awaited> listed, VerbsException why) {
        List<TagAct> acts = new ArrayList<>();
        Set<Awaited> all = new LinkedHashSet<>(waiting.values());
        all.addAll(listed);
        all.addAll(deletions);
        for (Awaited each : all) {
            over(each);
            acts.add(new TagAct.Fail(each, why));
            if (each.cancelling) {
                acts.add(new TagAct.Cancelled(each, false));
            }
        }
        unlisted.clear();
        deletions.clear();
        uncompared.clear();
        return acts;
    }

    /** The adapter was not told of it: its buffer can't be used, or there is no room. What it would have heard with it, it hears with the next. */
    List<TagAct> notAdded(Awaited receive, VerbsException why) {
        List<TagAct> acts = new ArrayList<>();
        operations--;
        told = UNTOLD;
        leavesList(receive);
        acts.add(new TagAct.Fail(receive, why));
        proceed(acts);
        return acts;
    }

    // --- what the adapter says ---

    List<TagAct> operationEnded(boolean syncRequested) {
        List<TagAct> acts = new ArrayList<>();
        ended(syncRequested);
        proceed(acts);
        return acts;
    }

    private void ended(boolean syncRequested) {
        operations--;
        outOfStep = syncRequested;
    }

    List<TagAct> deletionEnded(Awaited receive, boolean wasThere, boolean syncRequested) {
        List<TagAct> acts = new ArrayList<>();
        ended(syncRequested);
        Surprise found = receive.found;
        if (wasThere) {
            listed--;
            if (found != null) {
                undecided = false;
                dealtWith();
                deliver(receive, found, acts);
            } else {
                over(receive);
                acts.add(new TagAct.Cancelled(receive, true));
            }
        } else {
            lateDeletions++;
            giveUpDeletion(receive, acts);
        }
        proceed(acts);
        return acts;
    }

    /** A message has the receive, and says so, or has said so. */
    private void giveUpDeletion(Awaited receive, List<TagAct> acts) {
        Surprise found = receive.found;
        receive.found = null;
        waiting.remove(receive.number);
        if (receive.state != Awaited.State.OVER) {
            receive.state = Awaited.State.MATCHED;
        }
        if (receive.cancelling) {
            acts.add(new TagAct.Cancelled(receive, false));
        }
        if (found != null) {
            undecided = false;
            uncompared.addFirst(found);
        }
    }

    /** The adapter expected it not. */
    List<TagAct> unexpected(Surprise message) {
        List<TagAct> acts = new ArrayList<>();
        uncompared.add(message);
        proceed(acts);
        return acts;
    }

    /** One that the adapter did not expect, and counted, broke off. */
    List<TagAct> unexpectedFailed() {
        List<TagAct> acts = new ArrayList<>();
        dealtWith();
        proceed(acts);
        return acts;
    }

    /** It has its receive, or none that waits is for it: a receive that the adapter is told of from now on may match. */
    private void dealtWith() {
        handled = handled + 1 & COUNTER;
    }

    private void compare(Surprise message, List<TagAct> acts) {
        Optional<Awaited> first = waiting.values().stream()
                .filter(each -> !each.cancelling)
                .filter(each -> each.matches(message.header().tag()))
                .findFirst();
        if (first.isEmpty()) {
            dealtWith();
            surprises.add(message);
            return;
        }
        Awaited receive = first.get();
        waiting.remove(receive.number);
        if (receive.state == Awaited.State.UNLISTED) {
            unlisted.remove(receive);
            dealtWith();
            deliver(receive, message, acts);
        } else {
            undecided = true;
            receive.state = Awaited.State.FOUND;
            receive.found = message;
            deletions.add(receive);
        }
    }

    /** The first of two: the message has come, its data follow. */
    void matched(Awaited receive, Tagging.Info info) {
        waiting.remove(receive.number);
        receive.state = Awaited.State.MATCHED;
        receive.info = Optional.of(info);
    }

    /** The data are there. */
    List<TagAct> arrived(Awaited receive, Optional<Tagging.Info> info, int lengthBytes) {
        long tag = info.or(() -> receive.info).map(Tagging.Info::tag).orElse(receive.tag);
        TagArrival.Way way = lengthBytes > longestEager ? TagArrival.Way.FETCHED : TagArrival.Way.EXPECTED;
        List<TagAct> acts = new ArrayList<>();
        leavesList(receive);
        count(way);
        acts.add(new TagAct.Finish(receive, new TagArrival(tag, lengthBytes, way)));
        proceed(acts);
        return acts;
    }

    /** The adapter leaves the data to the program. */
    List<TagAct> left(Awaited receive, Surprise message) {
        List<TagAct> acts = new ArrayList<>();
        leavesList(receive);
        deliver(receive, message, acts);
        proceed(acts);
        return acts;
    }

    List<TagAct> failed(Awaited receive, Status status) {
        List<TagAct> acts = new ArrayList<>();
        leavesList(receive);
        acts.add(new TagAct.Fail(
                receive, new VerbsException(Errno.EIO, "receive " + receive.number + " ended with " + status)));
        proceed(acts);
        return acts;
    }

    private void leavesList(Awaited receive) {
        listed--;
        over(receive);
    }

    private void over(Awaited receive) {
        waiting.remove(receive.number);
        receive.state = Awaited.State.OVER;
    }

    private void deliver(Awaited receive, Surprise message, List<TagAct> acts) {
        over(receive);
        if (message.lengthBytes() > receive.buffer.lengthBytes()) {
            acts.add(new TagAct.Truncate(message, receive));
        } else if (message.where().isPresent()) {
            count(TagArrival.Way.FETCHED_BY_PROGRAM);
            acts.add(new TagAct.Fetch(message, receive));
        } else {
            count(TagArrival.Way.COPIED);
            copiedBytes += message.lengthBytes();
            acts.add(new TagAct.Copy(message, receive));
        }
    }

    private void count(TagArrival.Way way) {
        arrivals.merge(way, 1L, Long::sum);
    }

    // --- what the adapter is told ---

    /** Deletions first: by what comes behind them the adapter hears what was dealt with. */
    private void proceed(List<TagAct> acts) {
        while (!undecided && !uncompared.isEmpty()) {
            compare(uncompared.remove(), acts);
        }
        while (!deletions.isEmpty() && operations < mostOperations) {
            operations++;
            acts.add(new TagAct.Delete(deletions.remove()));
        }
        while (deletions.isEmpty() && !unlisted.isEmpty() && operations < mostOperations && listed < mostListed) {
            Awaited next = unlisted.remove();
            next.state = Awaited.State.LISTED;
            operations++;
            listed++;
            acts.add(new TagAct.Add(next, news()));
        }
        if (deletions.isEmpty() && outOfStep && handled != told && operations < mostOperations) {
            operations++;
            synchronizations++;
            told = handled;
            acts.add(new TagAct.Sync(handled));
        }
    }

    /** What the adapter does not know yet. */
    private OptionalInt news() {
        if (handled == told) {
            return OptionalInt.empty();
        }
        told = handled;
        return OptionalInt.of(handled);
    }
}
