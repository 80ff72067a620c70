// SPDX-License-Identifier: Apache-2.0
/** The events of a run with their causes, from which every view is derived. */
@NullMarked
package org.hcaactors.fabric.flow;

import org.jspecify.annotations.NullMarked;
