// SPDX-License-Identifier: Apache-2.0
/** Cost of connecting all processes of a cluster: computed by formula, and measured by building it. */
@NullMarked
package org.hcaactors.judge.scale;

import org.jspecify.annotations.NullMarked;
