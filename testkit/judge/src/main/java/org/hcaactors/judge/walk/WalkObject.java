// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Something that was made, as the walk sees it: when it was begun, what it stands on, what ends it. Whether it is there at a
 * moment is certain or possible; {@link AllowedAnswers} builds on that alone.
 */
class WalkObject {
    private final String name;
    private final Call making;
    private final Optional<WalkObject> owner;
    private final List<WalkObject> uses;
    private final List<WalkObject> users = new ArrayList<>();
    private final List<Call> closings = new ArrayList<>();

    /**
     * @param owner whose end takes it along, and is not kept up by it
     * @param uses what can't be closed while this is there
     */
    WalkObject(String name, Call making, Optional<? extends WalkObject> owner, List<? extends WalkObject> uses) {
        this.name = name;
        this.making = making;
        this.owner = owner.map(thing -> thing);
        this.uses = List.copyOf(uses);
        this.uses.forEach(thing -> thing.users.add(this));
    }

    Call making() {
        return making;
    }

    List<WalkObject> users() {
        return users;
    }

    List<WalkObject> uses() {
        return uses;
    }

    Optional<WalkObject> owner() {
        return owner;
    }

    void closing(Call call) {
        closings.add(call);
    }

    /** The first of its closings that were not over when {@code call}, one of them, began. */
    Call firstClosingBeside(Call call) {
        Call first = call;
        for (Call other : closings) {
            if (other.began() < first.began() && other.crosses(first)) {
                first = other;
            }
        }
        return first;
    }

    /** It was made, and the walk has not begun to close it or what takes it along. */
    boolean isOpen() {
        return making.succeeded() && !wasToldToGo();
    }

    /** The walk has begun to close it itself, and that was not refused. */
    boolean wasToldToGoItself() {
        return closings.stream().anyMatch(call -> !call.wasRefused());
    }

    /** The walk has begun to close it, or what takes it along, and that was not refused. */
    boolean wasToldToGo() {
        return wasToldToGoItself() || owner.filter(WalkObject::wasToldToGo).isPresent();
    }

    /** A closing of it, or of what takes it along, was over and done when that moment came. */
    boolean isGoneBefore(int moment) {
        return closings.stream().anyMatch(call -> call.succeeded() && call.endedBefore(moment))
                || owner.filter(thing -> thing.isGoneBefore(moment)).isPresent();
    }

    /** At some time since that moment it was going, or gone: where a closing is refused in the end, it was shut meanwhile. */
    boolean mayGoSince(int moment) {
        return closings.stream().anyMatch(call -> !(call.wasRefused() && call.endedBefore(moment)))
                || owner.filter(thing -> thing.mayGoSince(moment)).isPresent();
    }

    /** It, or something half made of it, may have been there at some time since that moment. */
    boolean mayBeThereSince(int moment) {
        boolean neverCame = making.wasRefused() && making.endedBefore(moment);
        return !neverCame && !isGoneBefore(moment);
    }

    /** It was there when that moment came, and nothing has been begun that ends it. */
    boolean isThereSince(int moment) {
        return making.succeeded() && making.endedBefore(moment) && !mayGoSince(moment);
    }

    void andWhatItStandsOn(Set<WalkObject> all) {
        if (all.add(this)) {
            uses.forEach(thing -> thing.andWhatItStandsOn(all));
            owner.ifPresent(thing -> thing.andWhatItStandsOn(all));
        }
    }

    String name() {
        return name;
    }

    String history() {
        return name + ": made " + making + (closings.isEmpty() ? "" : ", closed " + closings);
    }

    @Override
    public String toString() {
        return name;
    }
}
