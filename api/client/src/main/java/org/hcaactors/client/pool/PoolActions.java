// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.List;

/** What is to be done after the machine was told something; each list in its order. */
final class PoolActions {
    /** A request goes to its lane. */
    final List<PoolRequest> posts = new ArrayList<>();
    /** Callers get their answers. */
    final List<PoolAnswer> answers = new ArrayList<>();
    /** Streams that are in error and empty. */
    final List<PoolLane> resets = new ArrayList<>();
    /** Initiators that are in error and empty. */
    final List<PoolLane.Member> reopenings = new ArrayList<>();
}
