// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.hocon.Section;

/** Reads the attributes of a connection, and access rights. */
final class TermsReader {
    private static final List<String> KEYS =
            List.of("mtu", "first-psn", "timeout", "retry-count", "rnr-retry", "rnr-timer", "rd-atomic", "access");

    private TermsReader() {}

    /** Returns the keys of attributes, and the given ones. */
    static String[] keysAnd(String... others) {
        return Stream.concat(KEYS.stream(), Arrays.stream(others)).toArray(String[]::new);
    }

    static RcConnection attributes(Section keys) {
        RcConnection base = RcConnection.DEFAULT;
        RcConnection attributes = base.withMtu(keys.has("mtu") ? mtu(keys) : base.mtu())
                .withRemoteAccess(keys.has("access") ? rights(keys) : base.remoteAccess())
                .withRdAtomic(keys.has("rd-atomic") ? number(keys, "rd-atomic", 0, 16) : base.rdAtomic())
                .withTimeoutCode(keys.has("timeout") ? number(keys, "timeout", 0, 31) : base.timeoutCode())
                .withRetryCount(keys.has("retry-count") ? number(keys, "retry-count", 0, 7) : base.retryCount())
                .withRnrRetry(keys.has("rnr-retry") ? number(keys, "rnr-retry", 0, 7) : base.rnrRetry())
                .withMinRnrTimerCode(keys.has("rnr-timer") ? number(keys, "rnr-timer", 0, 31) : base.minRnrTimerCode());
        return keys.has("first-psn") ? attributes.withFirstPsn(number(keys, "first-psn", 0, 0xFF_FFFF)) : attributes;
    }

    private static PathMtu mtu(Section keys) {
        int bytes = number(keys, "mtu", 1, 65_536);
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() == bytes) {
                return mtu;
            }
        }
        throw keys.wrong("mtu", bytes + " is no path MTU; 256, 512, 1024, 2048 and 4096 are allowed");
    }

    static AccessFlags rights(Section keys) {
        return AccessFlags.of(keys.many("access", Access.class).toArray(Access[]::new));
    }

    static int number(Section keys, String key, int min, int max) {
        return (int) keys.whole(key, min, max);
    }
}
