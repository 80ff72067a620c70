// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.List;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.hcaactors.actors.service.NumberedObject;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.fabric.link.QpTable;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one adapter that have a number on the fabric. Their actors are found by name, and consecutive equal entries share
 * one object.
 */
final class NumberedObjects {
    private final QpTable<NumberedObject<?>> byNumber = new QpTable<>();
    private @Nullable NumberedObject<?> latest;

    void add(int number, NumberedObject<?> made) {
        NumberedObject<?> one = latest != null && latest.equals(made) ? latest : made;
        latest = one;
        byNumber.put(number, one);
    }

    void remove(int number) {
        byNumber.remove(number);
    }

    List<Integer> numbers() {
        return byNumber.numbers();
    }

    /** Fails the objects created while the adapter had that health. */
    @MutationPoint("numbered-objects.adapter-failed")
    void adapterFailed(DeviceHealth health, ActorContext<?> adapter) {
        for (int number : byNumber.numbers()) {
            NumberedObject<?> object = byNumber.get(number);
            if (object != null && object.health() == health) {
                adapter.getChild(object.kind().actor(number)).ifPresent(object::adapterFailed);
            }
        }
    }
}
