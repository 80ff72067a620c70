// SPDX-License-Identifier: Apache-2.0
/** Resource audit: the resources that an adapter holds and the work it has still to do, as snapshots and notifications. */
@NullMarked
package org.hcaactors.adapter.audit;

import org.jspecify.annotations.NullMarked;
