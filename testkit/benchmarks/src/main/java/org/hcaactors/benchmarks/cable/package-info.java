// SPDX-License-Identifier: Apache-2.0
/**
 * The speed between two JVMs: of a cable relative to bare UDP datagrams, and of the nodes of a cluster relative to bare messages of
 * Artery.
 */
@NullMarked
package org.hcaactors.benchmarks.cable;

import org.jspecify.annotations.NullMarked;
