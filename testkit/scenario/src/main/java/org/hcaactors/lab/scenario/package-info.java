// SPDX-License-Identifier: Apache-2.0
/** Scenarios: runs described in a file with adapters, connections, traffic, faults and the expected outcome. */
@NullMarked
package org.hcaactors.lab.scenario;

import org.jspecify.annotations.NullMarked;
