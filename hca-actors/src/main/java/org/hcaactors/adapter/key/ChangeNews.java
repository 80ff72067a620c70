// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.service.Services;
import org.hcaactors.fabric.flow.Element;

/** Tells the trace what became of a key, at the moment from which that holds. */
record ChangeNews(Services services) {
    /** Whoever asked for the change is told behind the trace. */
    ChangeListener before(KeyChange change, ChangeListener asker) {
        if (!services.trace().enabled()) {
            return asker;
        }
        return refusal -> {
            if (refusal.isEmpty()) {
                tell(change);
            }
            asker.changed(refusal);
        };
    }

    private void tell(KeyChange change) {
        switch (change) {
            case KeyChange.Fill fill ->
                services.trace()
                        .record(
                                0,
                                at -> new HcaEvent.KeyFilled(
                                        at, services.adapter(), Element.key(fill.key()), fill.layout(), fill.rights()));
            case KeyChange.Invalidate gone ->
                services.trace()
                        .record(0, at -> new HcaEvent.KeyEmptied(at, services.adapter(), Element.key(gone.key())));
            case KeyChange.Bind bind -> {}
            case KeyChange.Reregister anew -> {}
        }
    }
}
