// SPDX-License-Identifier: Apache-2.0
/** Communicating ends of any transport, as examples, scenarios, sweeps and tests use them. */
@NullMarked
package org.hcaactors.lab.pair;

import org.jspecify.annotations.NullMarked;
