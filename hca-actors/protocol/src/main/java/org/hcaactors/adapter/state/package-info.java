// SPDX-License-Identifier: Apache-2.0
/** The queue pair as a state machine. Pure, as all packages that it uses. */
@NullMarked
package org.hcaactors.adapter.state;

import org.jspecify.annotations.NullMarked;
