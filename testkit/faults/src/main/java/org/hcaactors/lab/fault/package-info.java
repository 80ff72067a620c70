// SPDX-License-Identifier: Apache-2.0
/** Faults in the protocol's own words: a plan is data, each firing stands in the trace, and a seed replays it. */
@NullMarked
package org.hcaactors.lab.fault;

import org.jspecify.annotations.NullMarked;
