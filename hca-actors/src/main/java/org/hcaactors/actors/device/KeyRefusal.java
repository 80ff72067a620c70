// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** What the owner of a key is told that stays as it is. */
final class KeyRefusal {
    private KeyRefusal() {}

    /** EBUSY where others hold on to the key, EIO where it is gone under its owner, else EINVAL. */
    static VerbsException of(int key, Denial reason) {
        Errno errno = switch (reason) {
            case Denial.InUse held -> Errno.EBUSY;
            case Denial.Unregistered gone -> Errno.EIO;
            default -> Errno.EINVAL;
        };
        return new VerbsException(errno, ReasonTexts.of(new KeyDenied(KeyDenied.Name.KEY, key, reason)));
    }
}
