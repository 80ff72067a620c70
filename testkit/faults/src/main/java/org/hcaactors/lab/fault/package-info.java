// SPDX-License-Identifier: Apache-2.0
/** Faults in terms of the protocol: a plan is data, each firing is recorded in the trace, and a seed repeats it. */
@NullMarked
package org.hcaactors.lab.fault;

import org.jspecify.annotations.NullMarked;
