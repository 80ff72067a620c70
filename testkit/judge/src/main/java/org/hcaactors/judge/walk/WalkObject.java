// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A created object as the walk sees it: when its creation began, what it depends on, what ends it. Its existence at a moment is
 * certain or possible; {@link AllowedAnswers} uses only this.
 */
class WalkObject {
    private final String name;
    private final Call making;
    private final Optional<WalkObject> owner;
    private final List<WalkObject> uses;
    private final List<WalkObject> users = new ArrayList<>();
    private final List<Call> closings = new ArrayList<>();

    /**
     * Creates the view of an object.
     *
     * @param owner closing it closes this object too, which does not keep it in use
     * @param uses objects that can't be closed while this one exists
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

    /** Returns the earliest of its closings that had not ended when {@code call}, one of them, began. */
    Call firstClosingBeside(Call call) {
        Call first = call;
        for (Call other : closings) {
            if (other.began() < first.began() && other.crosses(first)) {
                first = other;
            }
        }
        return first;
    }

    /** True if it was created and neither its own closing nor its owner's has begun. */
    boolean isOpen() {
        return making.succeeded() && !wasCloseRequested();
    }

    /** True if its own closing has begun and was not refused. */
    boolean wasCloseRequestedDirectly() {
        return closings.stream().anyMatch(call -> !call.wasRefused());
    }

    /** True if its own closing or its owner's has begun and was not refused. */
    boolean wasCloseRequested() {
        return wasCloseRequestedDirectly()
                || owner.filter(WalkObject::wasCloseRequested).isPresent();
    }

    /** True if its own closing or its owner's was complete at that moment. */
    boolean isGoneBefore(int moment) {
        return closings.stream().anyMatch(call -> call.succeeded() && call.endedBefore(moment))
                || owner.filter(thing -> thing.isGoneBefore(moment)).isPresent();
    }

    /**
     * True if it may have been closing or closed at some time since that moment; a closing refused in the end makes it unusable
     * meanwhile.
     */
    boolean mayGoSince(int moment) {
        return closings.stream().anyMatch(call -> !(call.wasRefused() && call.endedBefore(moment)))
                || owner.filter(thing -> thing.mayGoSince(moment)).isPresent();
    }

    /** True if it, or a part of it, may have existed at some time since that moment. */
    boolean mayBeThereSince(int moment) {
        boolean neverCame = making.wasRefused() && making.endedBefore(moment);
        return !neverCame && !isGoneBefore(moment);
    }

    /** True if it existed at that moment and nothing that ends it has begun. */
    boolean isThereSince(int moment) {
        return making.succeeded() && making.endedBefore(moment) && !mayGoSince(moment);
    }

    void collectDependencies(Set<WalkObject> all) {
        if (all.add(this)) {
            uses.forEach(thing -> thing.collectDependencies(all));
            owner.ifPresent(thing -> thing.collectDependencies(all));
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
