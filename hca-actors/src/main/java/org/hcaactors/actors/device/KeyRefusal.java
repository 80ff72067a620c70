// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Refusal of a key change, for the owner of the key. */
final class KeyRefusal {
    private KeyRefusal() {}

    /** Returns EBUSY if the key is in use, EIO if it is gone although its owner did not deregister it, otherwise EINVAL. */
    static VerbsException of(int key, Denial reason) {
        Errno errno = switch (reason) {
            case Denial.InUse held -> Errno.EBUSY;
            case Denial.Unregistered unregistered -> Errno.EIO;
            default -> Errno.EINVAL;
        };
        return new VerbsException(errno, ReasonTexts.of(new KeyDenied(KeyDenied.Name.KEY, key, reason)));
    }
}
