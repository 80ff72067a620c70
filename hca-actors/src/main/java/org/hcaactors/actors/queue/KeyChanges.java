// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.LocalInvalidate;

/** Translation of key changes in requests and messages into those of translators. */
final class KeyChanges {
    private KeyChanges() {}

    static KeyChange of(KeyWork work, KeyUser by) {
        return switch (work) {
            case LocalInvalidate invalidate -> new KeyChange.Invalidate(invalidate.key(), false, by);
            case BindWindow bind ->
                new KeyChange.Bind(
                        bind.key(),
                        bind.newKey(),
                        bind.region(),
                        bind.address(),
                        bind.lengthBound(),
                        bind.access(),
                        bind.zeroBased(),
                        by);
            case FillKey fill -> new KeyChange.Show(fill.key(), fill.access(), fill.layout(), by);
        };
    }

    static KeyChange remote(int key, KeyUser by) {
        return new KeyChange.Invalidate(key, true, by);
    }
}
