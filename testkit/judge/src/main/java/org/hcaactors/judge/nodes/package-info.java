// SPDX-License-Identifier: Apache-2.0
/** Sweeps over several JVMs: one hands out the seeds, and the others run them. */
@NullMarked
package org.hcaactors.judge.nodes;

import org.jspecify.annotations.NullMarked;
