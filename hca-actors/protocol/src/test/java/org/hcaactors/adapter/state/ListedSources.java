// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.rendezvous.TagReceiveSource;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.SharedReceiveSource;
import org.hcaactors.adapter.xrc.XrcReceiveSource;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/** Shared receive queues of a machine under test: lists that the test fills and reads. */
public final class ListedSources {
    /** Receives calls of the machine in words. */
    interface Log {
        void write(Object... call);
    }

    public final Deque<Receive> srq = new ArrayDeque<>();
    /** Number of receives that were requested, whether there was one or not. */
    public int takes;

    /** Shared receive queues that a peer may name: the protection domain of each, and its receives. */
    public final Map<Integer, Integer> namedDomains = new LinkedHashMap<>();

    public final Map<Integer, Deque<Receive>> named = new LinkedHashMap<>();
    public final Map<Integer, List<WorkCompletion>> namedCompletions = new LinkedHashMap<>();
    public final List<Integer> left = new ArrayList<>();

    /** Starts of the messages that requested a match from a tag-matching queue, and matches returned to it. */
    public final List<TagOpening> openings = new ArrayList<>();

    public final List<TagMatch> matchesBack = new ArrayList<>();
    /** Final statuses of tag-matching messages. */
    public final List<Status> matchEnds = new ArrayList<>();

    /** Matches of the next messages. */
    public final Deque<TagMatch> matches = new ArrayDeque<>();

    Log log = call -> {};
    /** Gives the receives of all queues, if it is set; null: they are empty. */
    Optional<Supplier<@Nullable Receive>> supplier = Optional.empty();

    public SharedReceiveSource shared() {
        return new Shared(Side.SRQ, Side.SRQ_DOMAIN, srq);
    }

    XrcReceiveSource xrc() {
        return number -> {
            log.write("joins", number);
            return Optional.ofNullable(namedDomains.get(number))
                    .map(domain -> new Named(number, domain, Objects.requireNonNull(named.get(number))));
        };
    }

    public TagReceiveSource tags() {
        return new Tags();
    }

    private class Shared implements SharedReceiveSource {
        final int number;
        private final int domain;
        private final Deque<Receive> receives;

        Shared(int number, int domain, Deque<Receive> receives) {
            this.number = number;
            this.domain = domain;
            this.receives = receives;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public int domain() {
            return domain;
        }

        @Override
        public @Nullable Receive take() {
            takes++;
            Receive taken = supplier.isPresent() ? supplier.get().get() : receives.poll();
            log.write("takes of", number, taken == null ? "nothing" : taken.id());
            return taken;
        }

        @Override
        public void taken(Receive receive) {}

        @Override
        public void putBack(Receive receive) {
            log.write("gives back to", number, receive.id());
            receives.addFirst(receive);
        }
    }

    private final class Named extends Shared implements XrcReceiveSource.Joined {
        Named(int number, int domain, Deque<Receive> receives) {
            super(number, domain, receives);
        }

        @Override
        public int completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData) {
            log.write("completes", completion, number, solicited, inlineData == null ? "" : inlineData.bytes());
            Objects.requireNonNull(namedCompletions.get(number)).add(completion);
            return number;
        }

        @Override
        public void leave() {
            log.write("leaves", number);
            left.add(number);
        }
    }

    private final class Tags implements TagReceiveSource {
        @Override
        public int domain() {
            return Side.SRQ_DOMAIN;
        }

        @Override
        public boolean hasInitiator() {
            return false;
        }

        @Override
        public Optional<TagMatch> match(TagOpening opening, long cause) {
            openings.add(opening);
            return Optional.ofNullable(matches.poll());
        }

        @Override
        public void putBack(TagMatch match) {
            matchesBack.add(match);
        }

        @Override
        public void fetch(FetchOrder order, long cause) {}

        @Override
        public int completed(TagMatch match, WorkCompletion completion, boolean last, boolean solicited) {
            matchEnds.add(completion.status());
            return 0;
        }
    }
}
