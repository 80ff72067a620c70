package org.hcaactors.adapter.memory;

import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.adapter.books.ObjectKind;
import org.hcaactors.adapter.service.Services;

/** How something is made that has a memory key. The key is known at once, before its actor has begun. */
public interface KeyBlueprint {
    ObjectKind kind();

    Behavior<TranslatorActor.Command> behavior(int key, Services services);

    /** The key is known from now on. */
    void announce(int key, Services services);
}
