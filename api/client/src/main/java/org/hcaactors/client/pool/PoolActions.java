// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.List;

/** Actions that follow from one input of the machine; each list is in order. */
final class PoolActions {
    /** Requests to post to their lanes. */
    final List<PoolRequest> posts = new ArrayList<>();
    /** Answers for callers. */
    final List<PoolAnswer> answers = new ArrayList<>();
    /** Streams to reset: in error and empty. */
    final List<PoolLane> resets = new ArrayList<>();
    /** Initiators to reopen: in error and empty. */
    final List<PoolLane.PoolInitiator> reopenings = new ArrayList<>();
}
