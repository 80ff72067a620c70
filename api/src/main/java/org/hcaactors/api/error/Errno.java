// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

/**
 * The errno values that verbs return (Linux numbering, as in libibverbs).
 *
 * <p>More will follow: a switch over them wants a default.
 */
public enum Errno {
    EPERM(1),
    ENOENT(2),
    EAGAIN(11),
    ENOMEM(12),
    EACCES(13),
    EFAULT(14),
    EBUSY(16),
    EEXIST(17),
    EINVAL(22),
    EIO(5),
    EOPNOTSUPP(95),
    EADDRINUSE(98),
    EADDRNOTAVAIL(99),
    ETIMEDOUT(110),
    ECONNREFUSED(111),
    EHOSTUNREACH(113),
    ECANCELED(125);

    private final int number;

    Errno(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
