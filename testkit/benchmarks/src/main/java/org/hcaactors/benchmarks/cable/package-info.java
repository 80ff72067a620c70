// SPDX-License-Identifier: Apache-2.0
/** The speed of the cable between two JVMs, relative to bare UDP datagrams. */
@NullMarked
package org.hcaactors.benchmarks.cable;

import org.jspecify.annotations.NullMarked;
