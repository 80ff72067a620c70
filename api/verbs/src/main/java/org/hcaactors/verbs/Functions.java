// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.LinkedHashSet;
import java.util.Set;

/** Names of the C functions that enter Java, as plans of refusals have them. */
final class Functions {
    static final String POST_SEND = "ibv_post_send";
    static final String POST_RECV = "ibv_post_recv";
    static final String POST_SRQ_RECV = "ibv_post_srq_recv";
    static final String REQ_NOTIFY_CQ = "ibv_req_notify_cq";
    static final String POLL_CQ = "ibv_poll_cq";
    static final String BIND_MW = "ibv_bind_mw";

    private static final int LAST_CALL = Calls.Fault.CALL;

    private Functions() {}

    /** Returns the function that begins with a call; an empty text if the call is a later part of one, or of none. */
    static String beginningWith(int call) {
        return switch (call) {
            case Calls.DescribeDevice.CALL,
                    Calls.WindowKey.CALL,
                    Calls.Finish.CALL,
                    Calls.Fault.CALL,
                    Calls.NoteRefusal.CALL -> "";
            default -> Calls.function(call);
        };
    }

    /** Returns the function that a call belongs to, also as a later part of it. */
    static String name(int call) {
        String name = Calls.function(call);
        return name.isEmpty() ? "call " + call : name;
    }

    /** Returns those that can be refused on purpose. */
    static Set<String> refusable() {
        Set<String> all = new LinkedHashSet<>(Set.of(POST_SEND, POST_RECV, POST_SRQ_RECV, REQ_NOTIFY_CQ, BIND_MW));
        for (int call = 0; call <= LAST_CALL; call++) {
            all.add(beginningWith(call));
        }
        all.remove("");
        return all;
    }
}
