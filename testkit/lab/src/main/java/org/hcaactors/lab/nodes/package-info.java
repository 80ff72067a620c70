// SPDX-License-Identifier: Apache-2.0
/** Other JVMs that run seeds: their command lines, and their state as one line. */
@NullMarked
package org.hcaactors.lab.nodes;

import org.jspecify.annotations.NullMarked;
