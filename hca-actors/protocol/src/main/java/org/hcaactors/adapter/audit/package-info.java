// SPDX-License-Identifier: Apache-2.0
/** Resource audit: what an adapter owes and holds, as snapshots and notifications. */
@NullMarked
package org.hcaactors.adapter.audit;

import org.jspecify.annotations.NullMarked;
