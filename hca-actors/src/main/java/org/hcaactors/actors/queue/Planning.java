// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveSource;

/** Creator of a queue pair's plan. */
@FunctionalInterface
public interface Planning {
    /** Returns the plan of a queue pair with that source of receives. */
    QpPlan plan(ReceiveSource receives);
}
